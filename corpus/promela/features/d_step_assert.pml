//@ about: an assertion fails in the middle of a deterministic sequence
//@ source: written for this corpus
//@ expect assert: violated !explore
byte x;

active proctype P() {
    d_step {
        x = 1;
        assert(x == 2);
        x = 2
    }
}
