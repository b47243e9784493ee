//@ about: several sends and receives in one step
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
chan q = [3] of { byte };
byte lens;

active proctype Turn() {
    byte a, b;
    q!1;
    q!2;
    d_step {
        len(q) == 2;
        q?a;
        q?b;
        q!b;
        q!a;
        q!a + b
    };
    q?a;
    assert(a == 2);
    q?1;
    q?3
}

active proctype Watch() {
    lens = len(q);
    (len(q) == 3 || lens == 3 || timeout)
}
