//@ about: formulas see an atomic sequence only where it begins, ends and waits
//@ source: written for this corpus
//@ expect deadlock: proved !explore
//@ expect ltl:unseen: proved
//@ expect ltl:waits: violated
//@ expect ltl:returns: proved
byte x;
bool y;

active proctype P() {
    do
    :: atomic { x = 1; x = 2; y; x = 3; x = 0; y = false }
    od
}

active proctype Q() {
    do
    :: !y -> y = true
    od
}

ltl unseen { [] (x != 1 && x != 3) }
ltl waits { [] (x != 2) }
ltl returns { [] <> (x == 0) }
