//@ about: two processes that each make progress only by a step of the other
//@ source: written for this corpus
//@ option fair
//@ expect deadlock: proved !explore
//@ expect livelock: proved
bit turn;
byte noise;

active [2] proctype Player() {
    do
    :: turn == _pid ->
progress:
       turn = 1 - _pid
    od
}

active proctype Noise() {
    do
    :: noise = (noise + 1) % 3
    od
}
