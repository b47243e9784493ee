//@ about: one process stays at an accept label while others go on for ever
//@ source: written for this corpus
//@ expect deadlock: proved !explore
//@ expect accept: violated
byte x;

active proctype P() {
    x = 1;
accept:
    (x == 2)
}

active proctype Q() {
    do
    :: x = 3
    :: x = 4
    od
}
