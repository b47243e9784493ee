//@ about: an option of a deterministic sequence that is an atomic sequence and begins with a choice is tested like braces
//@ source: written for this corpus
//@ expect assert: proved
//@ expect deadlock: proved
byte g;
chan q = [1] of { byte };

active proctype P() {
    d_step {
        if
        :: atomic {
            if
            :: g == 0
            fi
        }
        :: q?g
        fi
    }
}
