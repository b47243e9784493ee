//@ about: polls: would this receive be possible?
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
mtype = { a, b };
chan q = [2] of { mtype, byte };

active proctype P() {
    byte x = 7;
    assert(!q?[a, x] && !q??[b, x]);
    q!a, 1;
    q!b, 2;
    assert(q?[a, x] && x == 7);
    assert(!q?[b, x] && q??[b, x] && q??[b, 2] && !q??[b, 1]);
    assert(q?[a, 1] && !q?[a, 2] && !q?[a, eval(x)]);
    assert(len(q) == 2 && x == 7)
}
