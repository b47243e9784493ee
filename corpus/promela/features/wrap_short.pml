//@ about: a short has 16 bits, one of them for the sign
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
short s = 32767;

active proctype P() {
    s++;
    assert(s == -32768);
    s--;
    assert(s == 32767);
    s = 65536 + 7;
    assert(s == 7);
    s = 40000;
    assert(s == -25536 && s < 0)
}
