//@ about: something happens in every run, something else only in some
//@ source: written for this corpus
//@ expect deadlock: proved !explore
//@ expect ltl:leaves: proved
//@ expect ltl:three: violated
byte x;

active proctype P() {
    x = 1;
    do
    :: x = 2
    :: x = 3; break
    od
}

ltl leaves { <> (x > 0) }
ltl three { eventually (x == 3) }
