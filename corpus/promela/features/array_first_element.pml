//@ about: an array without an index is its first element
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
byte a[3], x;
chan q = [2] of { byte };

active proctype P() {
    a[0] = 7;
    a[1] = 8;
    x = a;
    assert(x == 7 && a == 7);
    q ! a;
    q ? eval(a);
    a = 3;
    assert(a[0] == 3 && a[1] == 8);
    q ! 5;
    q ? a;
    a++;
    assert(a[0] == 6)
}
