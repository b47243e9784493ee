//@ about: caches that watch a bus and forget to write back
//@ source: J. R. Goodman, Using cache memory to reduce processor-memory traffic, 1983; the states are those of the MSI protocol
//@ expect assert: violated !explore
//@ expect livelock: proved
//@ note: the mistake: a changed value is not written back when another cache asks to share it
#define N 2
mtype = { read, write, get_shared, get_modified };
mtype:mode = { invalid, shared, modified };
chan cpu[N] = [0] of { mtype };
chan done[N] = [0] of { bit };
chan bus = [N] of { mtype, byte };
chan snoop[N] = [1] of { mtype };
chan seen[N] = [1] of { bit };
chan grant[N] = [0] of { bit };
mtype:mode mode[N] = invalid;
bit memory, latest;

active [N] proctype Cpu() {
    do
    :: if
       :: cpu[_pid]!read
       :: cpu[_pid]!write
       fi;
       done[_pid]?_;
progress:
       skip
    od
}

/* Gives way to what another cache has asked for. */
inline watch(kind) {
    if
    :: mode[me] == modified -> skip
    :: else -> skip
    fi;
    mode[me] = (kind == get_shared && mode[me] != invalid -> shared : invalid);
    seen[me]!1
}

inline fetch(asked, wanted) {
    bus!asked(me);
    do
    :: snoop[me]?k -> watch(k)
    :: grant[me]?value -> mode[me] = wanted; break
    od
}

active [N] proctype Cache() {
    byte me = _pid - N;
    bit value;
    mtype k;
    do
    :: cpu[me]?read ->
       if
       :: mode[me] == invalid -> fetch(get_shared, shared)
       :: else -> skip
       fi;
       assert(value == latest);
       done[me]!1
    :: cpu[me]?write ->
       if
       :: mode[me] != modified -> fetch(get_modified, modified)
       :: else -> skip
       fi;
       assert(mode[1 - me] == invalid);
       d_step { value = 1 - latest; latest = value };
       done[me]!1
    :: snoop[me]?k -> watch(k)
    od
}

active proctype Bus() {
    mtype k;
    byte who;
end:
    do
    :: bus?k(who) ->
       snoop[1 - who]!k;
       seen[1 - who]?_;
       grant[who]!memory
    od
}
