//@ about: a claim that ends when something bad has happened
//@ source: written for this corpus
//@ expect deadlock: proved !explore
//@ expect ltl:never: violated
byte x;

active [2] proctype P() {
    byte y;
    y = x;
    x = y + 1
}

never {
    do
    :: x == 1 -> break
    :: else
    od;
    do
    :: x == 0 -> break
    :: x == 2 -> break
    :: else
    od
}
