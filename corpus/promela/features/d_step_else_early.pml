//@ about: else in a deterministic sequence does not wait for the options behind it, as in SPIN's verifier
//@ source: written for this corpus
//@ expect assert: violated
byte x = 1;

active proctype P() {
    if
    :: d_step { else -> assert(false) }
    :: x == 1 -> skip
    fi
}
