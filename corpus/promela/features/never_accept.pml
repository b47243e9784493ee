//@ about: a claim for: from some moment on x stays 0
//@ source: written for this corpus
//@ expect deadlock: proved !explore
//@ expect ltl:never: violated
byte x;

active proctype P() {
    do
    :: x = 1; x = 0
    :: x == 0
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
