//@ about: an open escape takes precedence over a handshake that the sequence would take part in
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
chan c = [0] of { byte };
bool stop;
byte got;

active proctype Giver() {
    end: do
    :: c!1
    od
}

active proctype Taker() {
    {
        do
        :: c?1 -> got = (got + 1) % 3
        od
    } unless {
        stop
    };
    assert(stop)
}

active proctype Stopper() {
    stop = true
}
