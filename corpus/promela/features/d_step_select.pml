//@ about: a choice among values inside of a deterministic sequence: the first constant, or where a loop would begin
//@ source: written for this corpus
//@ expect assert: proved
//@ expect deadlock: proved
byte high = 2;

active proctype P() {
    byte x, y;
    d_step {
        select (x : 1 .. high);
        select (y : 1 .. 3)
    }
    assert(x == 1 && y == 1)
}
