//@ about: fields are received into elements of arrays and parts of records
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
typedef Pair { byte a; short b[2] };
chan q = [1] of { byte, short, bit };
byte a[2];
Pair p[2];

active proctype P() {
    byte i = 1;
    q!200 + 100, -7, 1;
    q?a[i], p[i].b[i], p[0].a;
    assert(a[1] == 44 && p[1].b[1] == -7 && p[0].a == 1 && p[1].a == 0)
}
