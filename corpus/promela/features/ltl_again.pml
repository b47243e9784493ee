//@ about: again and again, and for ever after
//@ source: written for this corpus
//@ expect deadlock: proved !explore
//@ expect ltl:again: proved
//@ expect ltl:settles: violated
//@ expect ltl:answered: proved
bool x;

active proctype P() {
    do
    :: x = true; x = false
    od
}

ltl again { [] <> x }
ltl settles { <> [] x }
ltl answered { [] (x -> <> !x) }
