//@ about: an atomic sequence that must wait lets the others go on, and goes on undisturbed afterwards
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
byte x, y;

active proctype P() {
    atomic {
        x = 1;
        y == 1;
        x = 2;
        assert(y == 1);
        x = 3
    }
}

active proctype Q() {
    x == 1 -> y = 1;
    assert(x == 1 || x == 3);
    x == 3 -> y = 2
}
