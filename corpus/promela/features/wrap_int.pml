//@ about: an int has 32 bits, and arithmetic wraps around in all of them
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
int i = 2147483647;
int j;

active proctype P() {
    i = i + 1;
    assert(i < 0);
    j = 0 - 2147483647 - 1;
    assert(i == j);
    i--;
    assert(i == 2147483647);
    j = i * 2;
    assert(j == -2)
}
