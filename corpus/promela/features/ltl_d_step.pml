//@ about: formulas see a deterministic sequence as one step
//@ source: written for this corpus
//@ expect deadlock: proved !explore
//@ expect ltl:unseen: proved
//@ expect ltl:three: violated
byte x;

active proctype P() {
    do
    :: d_step { x = 1; x = 2; x = 3 }
    :: d_step { x = 1; x = 0 }
    od
}

ltl unseen { [] (x != 1 && x != 2) }
ltl three { <> (x == 3) }
