//@ about: a claim that cannot come to its end
//@ source: written for this corpus
//@ expect deadlock: proved !explore
//@ expect ltl:never: proved
byte x;

active [2] proctype P() {
    atomic { x++; x++ }
}

never {
    do
    :: x % 2 == 1 -> break
    :: x % 2 == 0
    od
}
