//@ about: one message at a time over a line that loses answers, and nobody who would notice
//@ source: A. S. Tanenbaum, Computer networks, 1981, protocol 2
//@ expect deadlock: violated !explore
//@ note: the mistake: no timeout
mtype = { frame, ready };
chan line = [1] of { mtype, byte };
chan back = [1] of { mtype };

active proctype Sender() {
    byte n;
    do
    :: n = (n + 1) % 8;
       line!frame(n);
       back?ready
    od
}

active proctype Receiver() {
end:
    do
    :: line?frame(_) ->
       if
       :: back!ready
       :: skip
       fi
    od
}
