//@ about: a jump from the end of an atomic sequence to its own beginning gives up the turn
//@ source: written for this corpus
//@ expect assert: violated !explore
//@ expect deadlock: proved !explore
byte x, y;

active proctype P() {
again:
    atomic {
        x++;
        if
        :: x < 3 -> goto again
        :: x == 3 -> skip
        fi
    };
    x = 9
}

active proctype Q() {
    y = x;
    assert(y == 0 || y == 3 || y == 9)
}
