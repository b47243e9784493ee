//@ about: the fields of a message are assigned from left to right
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
chan q = [1] of { byte, byte };
byte a[3];

active proctype P() {
    byte i;
    q!2, 9;
    q?i, a[i];
    assert(i == 2 && a[2] == 9 && a[0] == 0)
}
