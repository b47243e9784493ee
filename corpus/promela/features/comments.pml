//@ about: comments of both kinds, in and between statements
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
byte x; /* a comment
over lines with * and // inside */ byte y; // until the end of the line

active /* here */ proctype P(/* nothing */) {
    x /* the variable */ = 1; // x = 2;
    /* x = 3; */ y = x /**/ + 1;
    assert(x == 1 && y == 2) /* no separator needed */
}
