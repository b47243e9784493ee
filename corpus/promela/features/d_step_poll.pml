//@ about: a deterministic sequence tests how it could begin before it takes its first option, and that test fails
//@ source: written for this corpus
//@ expect assert: violated
byte g;
chan r = [0] of { byte };

active proctype P() {
    byte x;
    d_step {
        if
        :: x = g
        :: r?[1]
        fi
    }
}
