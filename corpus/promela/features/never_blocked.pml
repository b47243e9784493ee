//@ about: a claim that cannot follow the run is given up, and nothing is wrong
//@ source: written for this corpus
//@ expect deadlock: proved !explore
//@ expect ltl:never: proved
byte x;

active proctype P() {
    do
    :: x < 5 -> x++
    :: x == 5 -> x = 0
    od
}

never {
    (x == 0);
    (x == 1);
    (x == 3);
accept:
    do
    :: true
    od
}
