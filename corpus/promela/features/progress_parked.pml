//@ about: a process that stays at its progress label for ever hides that the others achieve nothing
//@ source: written for this corpus
//@ expect deadlock: proved !explore
//@ expect livelock: violated
//@ note: violated only by the runs in which the first process never gets to its label
byte x;

active proctype Parked() {
    skip;
progress_here:
    (x == 9)
}

active proctype Idle() {
    do
    :: x = 1 - x
    od
}
