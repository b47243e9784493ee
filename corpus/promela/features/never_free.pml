//@ about: a claim with free choices, which guesses the moment from which on something stays
//@ source: written for this corpus
//@ expect deadlock: proved !explore
//@ expect ltl:never: violated
byte x, y;

active proctype P() {
    do
    :: x = (x + 1) % 3
    od
}

active proctype Q() {
    do
    :: y = (y + 1) % 2
    od
}

never {
start:
    if
    :: true -> goto start
    :: x == 1 -> goto accept_x
    :: y == 1 -> goto accept_y
    fi;
accept_x:
    if
    :: x == 1 && y == 1 -> goto accept_x
    fi;
accept_y:
    if
    :: y == 1 -> goto accept_y
    fi
}
