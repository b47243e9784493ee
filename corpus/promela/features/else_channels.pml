//@ about: else beside sends and receives is taken when they would have to wait
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
//@ note: SPIN calls this dubious, and does it
chan q = [1] of { byte };
byte lost, got;

active proctype Sender() {
    byte i;
    for (i : 1 .. 3) {
        if
        :: q!i
        :: else -> lost++
        fi
    }
}

active proctype Receiver() {
    byte v;
    do
    :: q?v -> got++
    :: got + lost == 3 -> break
    od;
    assert(v > 0 && lost < 3)
}
