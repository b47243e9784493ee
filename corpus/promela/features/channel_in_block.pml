//@ about: a channel that is declared in a block is made once, together with its process
//@ source: written for this corpus
//@ expect assert: violated
byte n;

active proctype P() {
    { chan c = [2] of { byte }; c ! 1; assert(len(c) == 1) };
    do
    :: n < 3 -> n++; chan d = [1] of { byte }; assert(len(d) == 0); d ! n
    :: else -> break
    od
}
