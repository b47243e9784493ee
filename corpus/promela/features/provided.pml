//@ about: a condition on all steps of a process
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
byte turn, n;

active [2] proctype P() provided (turn == _pid) {
    byte i;
    do
    :: i < 2 -> n++; assert(turn == _pid); i++; turn = 1 - _pid
    :: i == 2 -> break
    od;
    turn = 1 - _pid
}
