//@ about: a receive that takes the oldest message that fits, wherever it is
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
mtype = { data, stop };
chan q = [4] of { mtype, byte };

active proctype P() {
    byte v;
    q!data, 1;
    q!stop, 2;
    q!data, 3;
    q!stop, 4;
    q??stop, v; assert(v == 2);
    q??data, 3;
    q??stop, v; assert(v == 4 && len(q) == 1);
    q??data, v; assert(v == 1 && empty(q))
}
