//@ about: jumps inside of a deterministic sequence
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
byte n, x;

active proctype P() {
    d_step {
        x = 9;
again:
        n++;
        if
        :: n < 5 -> goto again
        :: else -> skip
        fi;
        x = n;
        n = 0
    };
    assert(x == 5 && n == 0)
}
