//@ about: a run that has ended goes on in its last state for ever, and the claim with it
//@ source: written for this corpus
//@ expect deadlock: proved !explore
//@ expect ltl:never: violated
byte x;

active proctype P() {
    x = 1;
    x = 2
}

never {
    do
    :: x == 2 -> goto accept
    :: else
    od;
accept:
    do
    :: x == 2
    od
}
