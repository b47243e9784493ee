//@ about: a claim that follows the turns of a process with else
//@ source: written for this corpus
//@ expect deadlock: proved !explore
//@ expect ltl:never: proved
byte turn;

active [2] proctype P() {
    do
    :: turn == _pid -> turn = 1 - _pid
    od
}

never {
start:
    if
    :: turn == 0 -> goto start
    :: turn == 1 -> goto start
    :: else -> skip
    fi
}
