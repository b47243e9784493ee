//@ about: a sender among other options offers a handshake only where somebody takes it
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
chan c = [0] of { byte };
byte refused, accepted;

active proctype Sender() {
    byte i;
    for (i : 1 .. 3) {
        if
        :: c!i -> accepted++
        :: else -> refused++
        fi
    }
}

active proctype Receiver() {
    byte v;
end:
    do
    :: c?v -> assert(v > 0 && v <= 3)
    od
}
