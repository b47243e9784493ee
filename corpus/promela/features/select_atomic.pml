//@ about: a free choice of a number inside of an atomic sequence
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
byte x, y;

active proctype P() {
    atomic {
        select(x : 1 .. 3);
        y = x
    };
    assert(x == y)
}

active proctype Q() {
    byte a, b;
    atomic { a = x; b = y };
    assert(a == b)
}
