//@ about: text that is there or not, by ifdef, ifndef, if, elif and else
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
#define VERSION 2
#ifdef VERSION
byte x = 1;
#else
byte y = 1;
#endif
#ifndef WIDE
#define WIDE 0
#endif

active proctype P() {
#if VERSION == 1
    assert(false);
#elif VERSION == 2 && !WIDE
    x = x + 4;
#else
    assert(false);
#endif
    assert(x == 5)
}
