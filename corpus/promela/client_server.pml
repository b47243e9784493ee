//@ about: two clients and a server that gives the same thing to one of them after the other
//@ source: S. Leue and W. Wei, Integer linear programming-based property checking for asynchronous reactive systems, 2013, Figure 1
//@ expect deadlock: proved !explore
//@ expect livelock: violated
//@ expect queue ts[0]: bounded by 1 !explore
//@ expect queue tc[1]: bounded by 1 !explore
//@ note: progress is that client 0 has its acknowledgement, as in section V of the paper; for that the loop has a test
//@ note: it starves while the server serves client 1 only; with channels of any length ts holds 2 at most
mtype = { req, ack, rel };
chan ts[2] = [1] of { mtype };
chan tc[2] = [1] of { mtype };

init {
    byte i = 0;
    do
    :: i < 2 -> run client(i); i++
    :: else -> break
    od;
    run server()
}

proctype client(byte id) {
    do
    :: ts[id]!req;
       tc[id]?ack ->
       if
       :: id == 0 ->
progress:
          ts[id]!rel
       :: id != 0 -> ts[id]!rel
       fi
    od
}

proctype server() {
    do
    :: ts[0]?req -> tc[0]!ack; ts[0]?rel
    :: ts[1]?req -> tc[1]!ack; ts[1]?rel
    od
}
