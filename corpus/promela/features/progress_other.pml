//@ about: progress of one process counts for the whole system, also while it is only about to leave the label
//@ source: written for this corpus
//@ expect deadlock: proved !explore
//@ expect livelock: proved
byte x;

active proctype Parked() {
progress:
    (x == 9)
}

active proctype Idle() {
    do
    :: x = 1 - x
    od
}
