//@ about: the wildcard takes any value and remembers none
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
chan q = [2] of { byte, byte, byte };

active proctype P() {
    byte mid;
    _ = 4;
    q!1, 2, 3;
    q!4, 5, 6;
    q?_, mid, _;
    assert(mid == 2);
    q?4, _, _;
    assert(empty(q) && mid == 2)
}
