//@ about: a byte counts from 0 to 255 and begins again
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
byte n = 250;
byte rounds;

active proctype P() {
    do
    :: n != 5 -> n++; rounds++
    :: else -> break
    od;
    assert(rounds == 11);
    n = 0 - 1;
    assert(n == 255);
    n = 1000;
    assert(n == 232)
}
