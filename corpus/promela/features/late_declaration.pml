//@ about: a declaration behind a statement gives its variable the first value whenever it is passed
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
byte rounds;

active proctype P() {
again:
    rounds++;
    byte fresh = 4;
    byte zero;
    assert(fresh == 4 && zero == 0);
    fresh = 9;
    zero = 1;
    if
    :: rounds < 3 -> goto again
    :: else -> skip
    fi;
    assert(fresh == 9)
}
