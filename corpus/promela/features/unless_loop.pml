//@ about: escapes inside of a loop, with break and a jump out of the sequence
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
byte x, n;

active proctype P() {
    do
    :: {
           x++;
           if
           :: x == 5 -> break
           :: x == 9 -> goto out
           :: else -> skip
           fi
       } unless {
           x == 3 -> n++; x = 4
       }
    od;
    assert(n == 1 && x == 5);
out:
    assert(x == 5)
}
