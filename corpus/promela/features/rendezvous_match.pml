//@ about: a handshake needs a receiver who takes this very message
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
mtype = { one, two };
chan c = [0] of { mtype, byte };
byte got;

active proctype Sender() {
    if
    :: c!one(1) -> assert(false)
    :: c!two(3) -> assert(false)
    :: c!two(2)
    fi
}

active proctype Receiver() {
    c?two(2);
    got++
}
