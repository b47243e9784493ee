//@ about: a deterministic sequence that begins with a choice, with and without else
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
byte x, n;

active proctype P() {
    d_step {
        if
        :: x == 1 -> n = 1
        :: x == 2 -> n = 2
        fi;
        x = 3
    };
    assert(n == 1 || n == 2);
    d_step {
        if
        :: x == 1 -> n = 5
        :: else -> n = 6
        fi
    };
    assert(n == 6)
}

active proctype Q() {
    x = 1;
    atomic { x == 1 -> x = 2 } unless { x == 3 }
}
