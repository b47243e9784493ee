//@ about: a loop over the indices of an array
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
byte a[4] = { 5, 1, 8, 2 };
byte best;

active proctype P() {
    byte i;
    for (i in a) {
        if
        :: a[i] > a[best] -> best = i
        :: else -> skip
        fi
    }
    assert(best == 2 && i == 4)
}
