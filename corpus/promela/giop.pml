//@ about: clients of an object that moves between two servers are told where it has gone
//@ source: M. Kamel and S. Leue, Formalization and validation of the General Inter-ORB Protocol (GIOP), 2000
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
//@ expect livelock: proved
//@ expect ltl:answered: violated
//@ note: only the requests and the moves of the object are kept of the protocol; it moves twice at most
//@ note: a request waits for ever at the old server if that one is never given a turn
#define USERS 2
#define MOVES 2
mtype = { request, object, served, forward };
chan ask = [USERS] of { byte };
chan answer[USERS] = [0] of { mtype };
chan server[2] = [USERS + 1] of { mtype, byte };
chan reply = [USERS] of { mtype, byte };
byte copies = 1, moves;
bool waiting[USERS];

active [USERS] proctype User() {
    do
    :: atomic { ask!_pid; waiting[_pid] = true };
       atomic { answer[_pid]?served; waiting[_pid] = false };
progress:
       skip
    od
}

active proctype Client() {
    byte u, at;
end:
    do
    :: ask?u -> server[at]!request(u)
    :: reply?served(u) -> answer[u]!served
    :: reply?forward(u) -> at = 1 - at; server[at]!request(u)
    od
}

active [2] proctype Server() {
    byte me = _pid - USERS - 1;
    byte u;
    bool here = (me == 0);
end:
    do
    :: server[me]?request(u) ->
       if
       :: here -> assert(copies == 1); reply!served(u)
       :: else -> reply!forward(u)
       fi
    :: server[me]?object(_) -> here = true; copies++
    :: atomic { here && moves < MOVES -> here = false; copies--; moves++; server[1 - me]!object(0) }
    od
}

ltl answered { [] (waiting[0] -> <> !waiting[0]) }
