//@ about: cards are read, pairs of stars become one sign, and lines of another length are printed
//@ source: M. E. Conway, Design of a separable transition-diagram compiler, 1963; C. A. R. Hoare, CSP, 1978
//@ limit states=20000
//@ expect assert: proved
//@ expect deadlock: proved
//@ expect livelock: proved
//@ expect ltl:printed_once: proved
//@ note: cards have two signs here, and lines have three
#define CARD 2
#define LINE 3
chan cards = [1] of { byte };
chan pipe = [2] of { byte };
chan lines = [1] of { byte };
bool printed;

active proctype Reader() {
    byte n;
    do
    :: n < CARD ->
       if
       :: cards!'a'
       :: cards!'*'
       fi;
       n++
    :: n == CARD -> cards!' '; n = 0
    od
}

active proctype Squasher() {
    byte c;
    do
    :: cards?c ->
       if
       :: c != '*' -> pipe!c
       :: c == '*' ->
          cards?c;
          if
          :: c == '*' -> pipe!'^'
          :: else -> pipe!'*'; pipe!c
          fi
       fi
    od
}

active proctype Printer() {
    byte c, before, n;
    do
    :: n < LINE ->
       pipe?c;
       assert(c != '*' || before != '*');
       lines!c;
       before = c;
       n++
    :: n == LINE -> lines!'\n'; n = 0
    od
}

active proctype Paper() {
    do
    :: lines?'\n' ->
progress:
       printed = true
    :: lines?'a' :: lines?'*' :: lines?'^' :: lines?' '
    od
}

ltl printed_once { <> printed }
