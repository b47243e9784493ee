//@ about: sorted sends: the queue is in order, field by field
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
chan q = [4] of { byte, byte };

active proctype P() {
    byte a, b;
    q!!3, 1;
    q!!1, 9;
    q!!3, 0;
    q!!1, 2;
    q?a, b; assert(a == 1 && b == 2);
    q?a, b; assert(a == 1 && b == 9);
    q?a, b; assert(a == 3 && b == 0);
    q?a, b; assert(a == 3 && b == 1)
}
