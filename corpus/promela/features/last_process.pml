//@ about: which process made the last step
//@ source: written for this corpus
//@ expect deadlock: proved !explore
//@ expect ltl:never: violated
byte x;

active [2] proctype P() {
    x++;
    x++
}

never {
    do
    :: x == 3 && _last == 1 -> break
    :: true
    od;
    do
    :: x == 4 && _last == 0 -> break
    :: true
    od
}
