//@ about: a handshake with a process that is held back
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
chan c = [0] of { byte };
bool on;

active proctype Sender() {
    c!1;
    assert(on)
}

active proctype Receiver() provided (on) {
    c?1
}

active proctype Switch() {
    on = true
}
