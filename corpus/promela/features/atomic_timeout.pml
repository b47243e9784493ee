//@ about: an atomic sequence that waits for a timeout
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
byte x, n;

active proctype P() {
    atomic {
        x = 1;
        timeout;
        assert(x == 3);
        x = 4;
        n++
    }
}

active proctype Q() {
    x == 1 -> x = 2;
    x = 3;
    x == 4 -> n++
}
