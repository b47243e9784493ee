//@ about: a bit that travels alone is a byte, one that travels with others is a bit
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
//@ note: so does the verifier of SPIN; its simulator prints an error about the lost bits
chan alone = [1] of { bit };
chan beside = [1] of { bit, bool };

active proctype P() {
    byte x, y;
    alone!2;
    alone?x;
    assert(x == 2);
    beside!2, 3;
    beside?x, y;
    assert(x == 0 && y == 1)
}
