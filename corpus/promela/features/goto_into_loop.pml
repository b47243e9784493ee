//@ about: jumps forward, backward, and into the middle of a loop
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
byte x = 10, n;

active proctype P() {
    goto inside;
again:
    do
    :: x < 12 ->
       x++;
inside:
       n++;
       if
       :: n == 2 -> goto again
       :: else -> skip
       fi
    :: x >= 12 -> break
    od;
    assert(n == 3 && x == 12)
}
