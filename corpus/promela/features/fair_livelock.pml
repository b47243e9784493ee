//@ about: a process that turns round without progress, beside one that makes progress
//@ source: written for this corpus
//@ expect deadlock: proved !explore
//@ expect livelock: violated
//@ note: violated by the runs in which Busy never moves again; fair_livelock_fair.pml asks for fair runs only
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
