//@ about: a process that turns round without progress, beside one that makes progress, under weak fairness
//@ source: written for this corpus
//@ option fair
//@ expect deadlock: proved !explore
//@ expect livelock: proved
byte x, y;

active proctype Idle() {
    do
    :: x = 1 - x
    od
}

active proctype Busy() {
    do
    :: y = 1 - y;
progress:
       skip
    od
}
