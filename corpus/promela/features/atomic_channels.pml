//@ about: two processes that wait inside of atomic sequences for each other's messages
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
chan a = [1] of { byte };
chan b = [1] of { byte };
byte order;

active proctype P() {
    byte v;
    atomic { a!1; b?v; assert(v == 2); order = order * 10 + 1 }
}

active proctype Q() {
    byte v;
    atomic { a?v; b!v + 1; order = order * 10 + 2 };
    assert(order == 2 || order == 21)
}
