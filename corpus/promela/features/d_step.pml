//@ about: a deterministic sequence is one step, and takes the first option that is open
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
byte x, n, y;

active proctype P() {
    d_step {
        x = 4;
        do
        :: x > 0 -> x--; n++
        :: x > 2 -> n = 100
        :: else -> break
        od;
        if
        :: n == 4 -> n = 5
        :: n == 4 -> n = 6
        fi;
        x = 9
    };
    assert(n == 5)
}

active proctype Q() {
    y = x;
    assert(y == 0 || y == 9)
}
