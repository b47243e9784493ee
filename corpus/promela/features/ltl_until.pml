//@ about: until, its weak form and release
//@ source: written for this corpus
//@ expect deadlock: proved !explore
//@ expect ltl:strong: violated
//@ expect ltl:weak: proved
//@ expect ltl:early: violated
//@ expect ltl:released: proved
//@ expect ltl:words: proved
byte x;

active proctype P() {
    do
    :: x < 2 -> x++
    :: x == 1 -> x = 0
    :: x == 2 -> x = 5; break
    od
}

ltl strong { (x < 2) U (x == 2) }
ltl weak { (x < 2) W (x == 2) }
ltl early { (x == 0) W (x == 2) }
ltl released { (x == 2) V (x <= 2) }
ltl words { (x < 2) weakuntil (x == 2) }
