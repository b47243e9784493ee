//@ about: trains before a bridge, and a gate that forgets that one is on it
//@ source: W. Yi, P. Pettersson and M. Daniels, Automatic verification of real-time communicating systems by constraint-solving, 1994
//@ expect assert: violated !explore
//@ note: the mistake: a train that finds the list empty is let through at once
#define N 3
mtype = { approach, leave };
chan to_gate = [N] of { mtype, byte };
chan go[N] = [0] of { bit };
byte on_bridge;

active [N] proctype Train() {
    do
    :: to_gate!approach(_pid);
       go[_pid]?1;
       on_bridge++;
       assert(on_bridge == 1);
       on_bridge--;
       to_gate!leave(_pid)
    od
}

active proctype Gate() {
    chan list = [N] of { byte };
    byte t;
    bool busy;
    do
    :: to_gate?approach(t) ->
       if
       :: empty(list) -> busy = true; go[t]!1
       :: nempty(list) -> list!t
       fi
    :: to_gate?leave(_) -> busy = false
    :: atomic { !busy && nempty(list) -> busy = true; list?t; go[t]!1 }
    od
}
