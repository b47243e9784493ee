//@ about: two processes that wait for a timeout: either may take it, and the other one may follow
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
byte n;

active [2] proctype P() {
    timeout;
    n++;
    assert(n == 1 || n == 2)
}
