//@ about: inline sequences with arguments, and local variables that do not clash
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
byte x = 3, y = 4;

inline swap(a, b) {
    byte keep = a;
    a = b;
    b = keep
}

inline twice(c, d) {
    swap(c, d);
    swap(d, c)
}

active proctype P() {
    swap(x, y);
    assert(x == 4 && y == 3);
    swap(x, y);
    twice(x, y);
    assert(x == 3 && y == 4)
}
