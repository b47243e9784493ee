//@ about: the turn goes to and fro between two atomic sequences
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
chan there = [0] of { byte };
chan back = [0] of { byte };
byte x;

active proctype A() {
    byte v;
    atomic { x = 1; there!1; back?v; assert(v == 4 && x == 3); x = 4 }
}

active proctype B() {
    byte v;
    atomic { there?v; x = 2; x = 3; back!v + 3; x = 5 }
}

active proctype Watch() {
    byte y;
    y = x;
    assert(y == 0 || y == 4 || y == 5)
}
