//@ about: a process that sends to itself, and whose arguments are worked out when it sends
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
chan q = [3] of { byte };
byte x = 1;

active proctype P() {
    byte a, b;
    q!x;
    x = 5;
    q!x + len(q);
    q?a;
    q?b;
    assert(a == 1 && b == 6)
}
