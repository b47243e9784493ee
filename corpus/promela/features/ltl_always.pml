//@ about: something always holds, something else does not
//@ source: written for this corpus
//@ expect deadlock: proved !explore
//@ expect ltl:small: proved
//@ expect ltl:smaller: violated
byte x;

active proctype P() {
    do
    :: x < 3 -> x++
    :: x == 3 -> x = 0
    od
}

ltl small { [] (x <= 3) }
ltl smaller { always (x < 3) }
