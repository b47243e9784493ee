//@ about: the same claim, and a process that always leaves 0 again
//@ source: written for this corpus
//@ expect deadlock: proved !explore
//@ expect ltl:never: proved
byte x;

active proctype P() {
    do
    :: x = 1; x = 0
    od
}

never {
wait:
    do
    :: x == 0 -> goto accept_zero
    :: true
    od;
accept_zero:
    do
    :: x == 0
    od
}
