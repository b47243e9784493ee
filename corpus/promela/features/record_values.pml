//@ about: a value in the declaration of a record is not used
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
typedef T { byte a; short b; byte c[2] };
T v = 0;
T w = 3;
T z[2] = 5;

active proctype P() {
    T l = 2;
    assert(v.a == 0 && v.b == 0 && w.a == 0 && w.c[1] == 0);
    assert(z[0].a == 0 && z[1].b == 0 && l.a == 0 && l.c[1] == 0);
    l.a = 4;
    w.b = l.a;
    assert(w.b == 4)
}
