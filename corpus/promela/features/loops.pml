//@ about: loops in loops, break out of the inner one, jump out of both
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
byte i, j, n;

active proctype P() {
    do
    :: i < 5 ->
       j = 0;
       do
       :: j == i -> break
       :: j < i -> j++; n++
       :: n == 6 -> goto out
       od;
       i++
    :: i == 5 -> break
    od;
    assert(n == 10);
out:
    assert(n == 6 || n == 10);
    skip
}
