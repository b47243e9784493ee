//@ about: else inside of an atomic sequence, and a guard that others open
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
byte x, n;

active [2] proctype P() {
    atomic {
        if
        :: x > 0 -> x--
        :: else -> n++; x > 0; x--
        fi
    }
}

active proctype Q() {
    x++;
    x++;
    (_nr_pr >= 1) -> assert(x <= 2 && n <= 2)
}
