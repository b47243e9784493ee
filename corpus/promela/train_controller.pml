//@ about: trains before a bridge are stopped, wait in a list, and go one by one
//@ source: W. Yi, P. Pettersson and M. Daniels, Automatic verification of real-time communicating systems by constraint-solving, 1994
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
//@ expect livelock: proved
//@ expect ltl:crosses: proved
//@ note: time is left out: a train that is not stopped crosses at some time
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
crossing:
       assert(on_bridge == 1);
progress:
       on_bridge--;
       to_gate!leave(_pid)
    od
}

active proctype Gate() {
    chan list = [N] of { byte };
    byte t;
    bool busy;
    do
    :: to_gate?approach(t) -> list!t
    :: to_gate?leave(_) -> busy = false
    :: atomic { !busy && nempty(list) -> busy = true; list?t; go[t]!1 }
    od
}

ltl crosses { [] (Train[1]@crossing -> <> (on_bridge == 0)) }
