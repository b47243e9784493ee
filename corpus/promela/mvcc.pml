//@ about: users of shared data; views that are worked out from an old version are thrown away
//@ source: T. Urnes and T. C. N. Graham, Flexibly mapping synchronous groupware architectures to distributed implementations, 1999
//@ limit states=20000
//@ expect assert: proved
//@ expect deadlock: proved
//@ expect livelock: proved
//@ expect ltl:in_step: proved
//@ note: as mvcc_2.pml, for any number of users; -D U=4 makes it four
//@ note: without channels that are full at some time, users may send for ever; -D INPUT_IS_PROGRESS lets that count
#ifndef U
#define U 2
#endif
#define VERSIONS 3
mtype = { input, commit, changed, fetch, value, stale };
chan inputs = [1] of { mtype, byte };
chan updates = [1] of { mtype, byte };
chan committed = [1] of { mtype, byte };
chan to_view[U] = [1] of { mtype, byte };
chan to_store = [1] of { mtype, byte, byte };
chan from_store[U] = [1] of { mtype };
byte version;
bool can_process_input = true;

active [U] proctype User() {
    do
    :: inputs!input(_pid)
#ifdef INPUT_IS_PROGRESS
       ;
progress:
       skip
#endif
    od
}

active proctype Controller() {
    byte u, v;
    do
    :: can_process_input && inputs?[input, _] ->
       inputs?input(u);
       can_process_input = false;
       updates!input(u)
    :: committed?commit(v) ->
progress:
       u = 0;
       do
       :: u < U -> to_view[u]!changed(v); u++
       :: else -> break
       od;
       u = 0;
       can_process_input = true
    od
}

active proctype Updater() {
    byte u;
    do
    :: updates?input(u) ->
       assert(!can_process_input);
       version = (version + 1) % VERSIONS;
       committed!commit(version)
    od
}

active [U] proctype View() {
    byte me = _pid - U - 2;
    byte v;
end:
    do
    :: to_view[me]?changed(v) ->
       to_store!fetch(me, v);
       if
       :: from_store[me]?value -> skip
       :: from_store[me]?stale -> skip
       fi
    od
}

active proctype Store() {
    byte u, v;
end:
    do
    :: to_store?fetch(u, v) ->
       if
       :: v == version -> from_store[u]!value
       :: else -> from_store[u]!stale
       fi
    od
}

ltl in_step { [] (len(updates) + len(committed) <= 1) }
