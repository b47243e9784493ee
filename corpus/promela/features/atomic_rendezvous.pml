//@ about: a handshake hands the turn over from one atomic sequence to the other
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
chan c = [0] of { byte };
byte x;

active proctype Sender() {
    atomic {
        x = 1;
        c!1;
        x = 5
    }
}

active proctype Receiver() {
    atomic {
        c?_;
        assert(x == 1);
        x = 2;
        x = 3
    }
}

active proctype Other() {
    byte y;
    y = x;
    assert(y == 0 || y == 3 || y == 5)
}
