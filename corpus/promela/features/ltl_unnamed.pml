//@ about: a formula without a name
//@ source: written for this corpus
//@ expect deadlock: proved !explore
//@ expect ltl:ltl_0: violated
byte x;

active proctype P() {
    x = 1;
    x = 2;
    x = 1
}

ltl { [] (x == 2 -> [] (x == 2)) }
