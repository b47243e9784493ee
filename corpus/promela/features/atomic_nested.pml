//@ about: atomic sequences inside of an atomic sequence
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
byte x;

active proctype P() {
    atomic {
        x = 1;
        atomic { x = 2; x = 3 };
        d_step { x = 4; x = 5 };
        x = 6
    }
}

active proctype Q() {
    byte y;
    y = x;
    assert(y == 0 || y == 6)
}
