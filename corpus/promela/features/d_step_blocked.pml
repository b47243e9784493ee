//@ about: a deterministic sequence may not wait in its middle
//@ source: written for this corpus
//@ expect assert: violated !explore
byte x;

active proctype P() {
    d_step {
        x = 1;
        x == 2;
        x = 3
    }
}

active proctype Q() {
    x == 1 -> x = 2
}
