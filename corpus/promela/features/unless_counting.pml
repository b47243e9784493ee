//@ about: where a loop that counts is all of a body, its counter is set before the escape can be taken
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
byte h = 1, g;

active proctype P() {
    byte x = 3;
    select (x : 0 .. h) unless atomic { g = 1 };
    assert(g == 1 && x == 0);
    g = 2
}
