//@ about: a receiver that takes over the turn and then has to wait for somebody else
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
chan c = [0] of { byte };
byte x;
bool go;

active proctype Sender() {
    atomic { x = 1; c!1; x = x + 10 };
    go = true
}

active proctype Receiver() {
    atomic { c?1; x = 2; go; x = x + 20; assert(x == 32) }
}
