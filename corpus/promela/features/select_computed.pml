//@ about: a free choice between bounds that are worked out
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
byte low = 1, high, x;

active proctype P() {
    high = low + 2;
    select(x : low .. high);
    assert(x >= 1 && x <= 3)
}
