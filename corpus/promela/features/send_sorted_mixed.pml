//@ about: a sorted send goes before the first greater message, even if the queue is in no order
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
chan q = [4] of { byte };

active proctype P() {
    byte a;
    q!5;
    q!2;
    q!7;
    q!!6;
    q?a; assert(a == 5);
    q?a; assert(a == 2);
    q?a; assert(a == 6);
    q?a; assert(a == 7)
}
