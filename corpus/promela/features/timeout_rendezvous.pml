//@ about: a timeout does not come while a handshake is possible
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
chan c = [0] of { byte };
byte n;

active proctype Sender() {
    c!1;
    c!2
}

active proctype Receiver() {
    do
    :: c?_ -> n++
    :: timeout -> break
    od;
    assert(n == 2)
}
