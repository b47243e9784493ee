//@ about: a channel without room: both sides step together
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
chan c = [0] of { byte };
byte sent, taken;

active proctype Sender() {
    byte i;
    for (i : 1 .. 3) {
        sent = i;
        c!i
    }
}

active proctype Receiver() {
    do
    :: c?taken -> assert(sent - taken <= 1)
    :: taken == 3 -> break
    od;
    assert(sent == 3)
}
