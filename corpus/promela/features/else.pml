//@ about: else is open exactly if nothing beside it is
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
byte x, rounds;

active proctype P() {
    do
    :: x < 2 -> x++
    :: x == 2 -> x = 5
    :: else -> rounds++;
       if
       :: rounds == 3 -> break
       :: else -> x = 0
       fi
    od;
    assert(x == 5 && rounds == 3)
}
