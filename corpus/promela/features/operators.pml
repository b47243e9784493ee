//@ about: every operator, and how they bind
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
int a = 7, b = -2, c;

active proctype P() {
    c = a + b * 3;
    assert(c == 1);
    c = (a + b) * 3 - a % 4;
    assert(c == 12);
    assert(a / b == -3 && a % b == 1 && b % a == -2);
    assert(1 + 2 << 3 == 24);
    assert((a & 3 | 8 ^ 1) == 11);
    assert(~0 == -1 && - -a == 7 && !a == 0 && !0 == 1);
    assert(b >> 1 == -1 && 1 << 4 == 16);
    assert(a < 8 == 1 && a <= 7 && a > b && a >= 7 && a != b);
    assert((1 || 0 && 0) == 1)
}
