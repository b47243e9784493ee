//@ about: a moving station is handed over from one base to another while it listens
//@ source: F. Orava and J. Parrow, An algebraic verification of a mobile network, 1992
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
//@ expect livelock: violated
//@ note: the livelocks are handovers that fail for ever, or follow each other without data
mtype = { data, handover, complete, failed, released, give, use };
chan from_user = [0] of { mtype, byte };
chan to_user = [0] of { mtype, byte };
chan air[2] = [0] of { mtype, byte };
chan wire[2] = [0] of { mtype, byte };
byte last;

active proctype User() {
    byte n;
    do
    :: from_user!data(n); n = (n + 1) % 4
    od
}

active proctype Switch() {
    byte v, now;
    do
    :: from_user?data(v) -> wire[now]!data(v)
    :: wire[now]!handover(1 - now);
       if
       :: wire[1 - now]?complete(_) ->
          wire[now]!released(0);
          now = 1 - now;
          wire[now]!use(0)
       :: wire[now]?failed(_) -> wire[1 - now]!give(0)
       fi
    od
}

active [2] proctype Base() {
    byte v;
    byte me = _pid - 2;
    if
    :: me == 0 -> goto serving
    :: else -> goto idle
    fi;

idle:
    do
    :: air[me]?complete(_) -> wire[me]!complete(0); wire[me]?use(_); goto serving
    :: wire[me]?give(_) -> skip
    od;

serving:
    do
    :: wire[me]?data(v) -> air[me]!data(v)
    :: wire[me]?handover(v) ->
       air[me]!handover(v);
       if
       :: wire[me]?released(_) -> goto idle
       :: air[me]?failed(_) -> wire[me]!failed(0)
       fi
    od
}

active proctype Station() {
    byte v, now;
    do
    :: air[now]?data(v) -> to_user!data(v)
    :: air[now]?handover(v) ->
       if
       :: air[v]!complete(0); now = v
       :: air[now]!failed(0)
       fi
    od
}

active proctype Listener() {
    byte v, wanted;
    do
    :: to_user?data(v) ->
progress:
       assert(v == wanted);
       wanted = (wanted + 1) % 4
    od
}
