//@ about: sorted sends, random receives, copies and polls
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
chan q = [3] of { byte, bit };
byte sum;

active proctype Writer() {
    q!!3,1;
    q!!1,0;
    q!!2,1
}

active proctype Reader() {
    byte x;
    bit b;
    do
    :: q??2,b -> sum = sum + 2
    :: q?<x,b> -> sum = x; q?x,b
    :: q?[1,0] && len(q) > 1 -> q?x,_
    :: full(q) -> sum = 9; q?eval(1),b
    :: timeout -> break
    od;
    assert(len(q) == 0)
}
