//@ about: weak fairness beside a process that loops through an atomic sequence
//@ source: written for this corpus
//@ option fair
//@ expect deadlock: proved !explore
//@ expect ltl:moves: proved
//@ expect ltl:both: violated
byte x, y;

active proctype P() {
    do
    :: atomic { x = 1; x = 2; x = 0 }
    od
}

active proctype Q() {
    y = 1;
    do
    :: y = 2
    :: y = 3
    od
}

ltl moves { <> (y > 0) }
ltl both { [] <> (y == 2) && [] <> (y == 3) }
