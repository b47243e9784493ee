//@ about: a sender who does not wait for the answer breaks the order that a trace demands
//@ source: written for this corpus
//@ expect assert: violated !explore
mtype = { ping, pong };
chan to = [2] of { mtype };
chan from = [2] of { mtype };

active proctype A() {
    to!ping;
    to!ping;
    from?pong;
    from?pong
}

active proctype B() {
end:
    do
    :: to?ping -> from!pong
    od
}

trace {
    do
    :: to!ping; from!pong
    od
}
