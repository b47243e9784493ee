//@ about: the order of sends and receives on two channels is as a trace says
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
mtype = { ping, pong };
chan to = [1] of { mtype };
chan from = [1] of { mtype };

active proctype A() {
    byte i;
    for (i : 1 .. 2) {
        to!ping;
        from?pong
    }
}

active proctype B() {
end:
    do
    :: to?ping -> from!pong
    od
}

trace {
end_round:
    do
    :: to!ping; to?ping; from!pong; from?pong
    od
}
