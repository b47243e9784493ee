//@ about: a fixed number of cards is read, pairs of stars become one sign, and lines of another length are printed
//@ source: M. E. Conway, Design of a separable transition-diagram compiler, 1963; C. A. R. Hoare, CSP, 1978
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
//@ expect livelock: none !explore
//@ note: conway.pml in which the reader stops after some cards; so every run ends, and channels of any length stay short
#define CARDS 2
#define CARD 2
#define LINE 3
chan cards = [1] of { byte };
chan pipe = [2] of { byte };
chan lines = [1] of { byte };

active proctype Reader() {
    byte n, read;
    do
    :: read < CARDS && n < CARD ->
       if
       :: cards!'a'
       :: cards!'*'
       fi;
       n++
    :: read < CARDS && n == CARD -> cards!' '; n = 0; read++
    :: read == CARDS -> break
    od
}

active proctype Squasher() {
    byte c;
end:
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
end:
       pipe?c;
       assert(c != '*' || before != '*');
       lines!c;
       before = c;
       n++
    :: n == LINE -> lines!'\n'; n = 0
    od
}

active proctype Paper() {
end:
    do
    :: lines?'\n' ->
progress:
       skip
    :: lines?'a' :: lines?'*' :: lines?'^' :: lines?' '
    od
}
