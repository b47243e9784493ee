//@ about: len, empty, full, nempty and nfull
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
chan q = [2] of { bool };

active proctype P() {
    assert(len(q) == 0 && empty(q) && nfull(q));
    q!1;
    assert(len(q) == 1 && nempty(q) && nfull(q));
    q!1;
    assert(len(q) == 2 && nempty(q) && full(q));
    do
    :: nempty(q) -> q?_
    :: empty(q) -> break
    od
}
