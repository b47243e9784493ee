//@ about: one message at a time, and the next one only after the answer
//@ source: A. S. Tanenbaum, Computer networks, 1981, protocol 2
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
//@ expect livelock: proved
//@ expect ltl:alternate: proved
mtype = { frame, ready };
chan line = [1] of { mtype, byte };
chan back = [1] of { mtype };
byte sent, taken;

active proctype Sender() {
    do
    :: sent = (sent + 1) % 8;
       line!frame(sent);
       back?ready
    od
}

active proctype Receiver() {
    do
    :: line?frame(taken) ->
progress:
       assert(taken == sent && empty(line));
       back!ready
    od
}

ltl alternate { [] <> (taken == 7) && [] (len(line) + len(back) <= 1) }
