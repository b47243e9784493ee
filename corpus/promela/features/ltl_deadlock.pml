//@ about: a run that gets stuck stays there for ever, and formulas are judged by that
//@ source: written for this corpus
//@ expect deadlock: violated !explore
//@ expect ltl:arrives: violated
//@ expect ltl:stays: proved
byte x;

active proctype P() {
    x = 1;
    if
    :: x = 2; x == 9
    :: x = 3
    fi
}

ltl arrives { <> (x == 3) }
ltl stays { <> [] (x >= 2) }
