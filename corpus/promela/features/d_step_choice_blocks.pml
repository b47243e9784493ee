//@ about: inside of a deterministic sequence a choice without a possible option fails, even as an option
//@ source: written for this corpus
//@ expect assert: violated
byte x;

active proctype P() {
    d_step {
        if
        :: if
           :: x == 1 -> skip
           fi
        :: x == 0 -> skip
        fi;
        x = 2
    }
}
