//@ about: conditional expressions, one inside another
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
byte x = 4, y;

active proctype P() {
    y = (x > 3 -> 1 : 2) + (x > 5 -> 10 : (x == 4 -> 20 : 30));
    assert(y == 21);
    assert((x -> x : 1 / 0) == 4);
    (x > 9 -> false : true)
}
