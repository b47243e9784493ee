//@ about: a trace that is not at one of its end labels when nothing moves any more
//@ source: written for this corpus
//@ expect assert: violated !explore
//@ note: SPIN counts this among the invalid end states, unless all processes have gone
mtype = { ping, pong };
chan to = [1] of { mtype };

active proctype A() {
    to!ping;
    to!pong
}

active proctype B() {
end:
    do
    :: to?_
    od
}

trace {
end_fresh:
    to!ping;
    to!pong;
    to!ping
}
