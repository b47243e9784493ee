//@ about: the turn goes through three atomic sequences by two handshakes
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
chan c = [0] of { byte };
chan d = [0] of { byte };
byte x;

active proctype A() {
    atomic { x = 1; c!1; x = 10 }
}

active proctype B() {
    atomic { c?1; assert(x == 1); x = 2; d!1; x = 11 }
}

active proctype C() {
    atomic { d?1; assert(x == 2); x = 3 }
}

active proctype Watch() {
    byte y;
    y = x;
    assert(y != 1 && y != 2)
}
