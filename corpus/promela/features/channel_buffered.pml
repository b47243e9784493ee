//@ about: a channel with room for two: first in, first out, and a sender who waits when it is full
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
chan q = [2] of { byte };
byte ahead;

active proctype Sender() {
    byte i;
    for (i : 1 .. 4) {
        q!i;
        ahead = i
    }
}

active proctype Receiver() {
    byte v, next = 1;
    do
    :: q?v ->
       assert(v == next && ahead <= v + 2);
       next++
    :: next > 4 -> break
    od
}
