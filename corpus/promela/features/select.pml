//@ about: a free choice of a number
//@ source: written for this corpus
//@ expect assert: violated !explore
//@ expect deadlock: proved !explore
byte x, y;

active proctype P() {
    select(x : 2 .. 4);
    assert(x >= 2 && x <= 4);
    select(y : 1 .. 2);
    assert(x * y != 8)
}
