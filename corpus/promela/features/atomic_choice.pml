//@ about: a free choice and a loop inside of an atomic sequence
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
byte x, n;

active [2] proctype P() {
    atomic {
        x = 0;
        do
        :: x < 6 -> x++
        :: x < 6 -> x = x + 2
        :: x >= 6 -> break
        od;
        n++
    };
    assert(x >= 6 && x <= 7)
}
