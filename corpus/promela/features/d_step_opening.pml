//@ about: whether a deterministic sequence can begin depends on its conditions and messages, not on assignments
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: violated
byte x;
bool taken;

active proctype P() {
    d_step {
        if
        :: taken = true
        :: x == 1 -> skip
        fi;
        x = 2
    };
    assert(false)
}

active proctype Q() {
    assert(!taken)
}
