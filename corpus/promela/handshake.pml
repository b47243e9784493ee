//@ about: two processes meet over a channel without room; one of them is in an atomic sequence
//@ source: written for this corpus
//@ expect deadlock: proved !explore
mtype = { ping, pong };
chan c = [0] of { mtype, byte };
chan d = [0] of { mtype };
byte met;

active proctype A() {
    byte i;
    do
    :: i < 3 -> atomic { c!ping(i); d?pong; i++ }
    :: else -> break
    od
}

active proctype B() {
    byte got;
end:
    do
    :: c?ping(got) -> met = met + got; d!pong
    od
}
