//@ about: messages with several fields, written with commas and with brackets
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
mtype = { put, get };
chan q = [3] of { mtype, byte, short, bool };

active proctype Sender() {
    q!put, 1, -1, true;
    q!get(2, 300, false);
    q!put(256, 40000, 1)
}

active proctype Receiver() {
    mtype m;
    byte a;
    short b;
    bool c;
    q?put(a, b, c);
    assert(a == 1 && b == -1 && c);
    q?m, a, b, c;
    assert(m == get && a == 2 && b == 300 && !c);
    q?m(a, b, c);
    assert(m == put && a == 0 && b == -25536 && c)
}
