//@ about: an atomic sequence that never ends keeps everybody else from moving
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
//@ note: the verifier of SPIN goes round until its depth is used up
byte x;
bool other;

active proctype P() {
    atomic {
        x = 2;
        do
        :: x = 5 - x
        od
    }
}

active proctype Q() {
    x > 0 -> assert(false);
    other = true
}
