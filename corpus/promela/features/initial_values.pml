//@ about: first values that depend on others
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
#define K 3
byte a = K + 1, b = 2 * K, c[K] = K;
short d = -(K + 2);

active [2] proctype P() {
    byte e = a + b;
    byte f = e - 1;
    byte g[2] = _pid;
    assert(a == 4 && b == 6 && c[2] == 3 && d == -5);
    assert(e == 10 && f == 9 && g[1] == _pid)
}
