//@ about: a process that asks whether another one can move
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
bool go;
byte x;

active proctype P() {
    go -> x = 1
}

active proctype Q() {
    assert(!enabled(0));
    go = true;
    assert(enabled(0) || x == 1)
}
