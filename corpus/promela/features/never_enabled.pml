//@ about: a claim that asks whether a process can move, and where it is
//@ source: written for this corpus
//@ expect deadlock: proved !explore
//@ expect ltl:never: proved
bool go;

active proctype P() {
    go;
    go = false
}

active proctype Q() {
    go = true
}

never {
    do
    :: !go && enabled(0) && pc_value(0) == 1 -> break
    :: else
    od
}
