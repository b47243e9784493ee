//@ about: a long arrow is an arrow, and what is left of a comment in a comment is nothing
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
/* one /* two */ */
#define X '3'
#if X == '3'
byte x = 3;
#else
byte x = 4;
#endif

active proctype P() {
    if
    :: x == 3 --> x = 1
    :: else --> skip
    fi;
    assert(x == 1)
}
