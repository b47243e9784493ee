//@ about: a deterministic sequence may wait at its first statement
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
byte x, turns;

active [2] proctype P() {
    do
    :: d_step { x == _pid && turns < 4 -> x = 1 - x; turns++ }
    :: turns == 4 -> break
    od;
    assert(turns == 4 && x == 0)
}
