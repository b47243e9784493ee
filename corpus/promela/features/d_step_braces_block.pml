//@ about: inside of a deterministic sequence an option in braces is not passed over
//@ source: written for this corpus
//@ expect assert: violated
byte x;

active proctype P() {
    d_step {
        if
        :: { x == 1; x = 3 }
        :: x == 0 -> skip
        fi;
        x = 2
    }
}
