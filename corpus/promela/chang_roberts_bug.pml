//@ about: a ring in which smaller numbers are not swallowed
//@ source: E. Chang and R. Roberts, An improved algorithm for decentralized extrema-finding, 1979
//@ expect assert: violated !explore
//@ note: the mistake: every number comes home, and every node believes to be the leader
#define N 3
mtype = { candidate, leader };
chan link[N] = [N] of { mtype, byte };
byte leaders;

active [N] proctype Node() {
    byte mine = (2 * _pid + 2) % N;
    byte n;
    link[(_pid + 1) % N]!candidate(mine);
    do
    :: link[_pid]?candidate(n) ->
       if
       :: n != mine -> link[(_pid + 1) % N]!candidate(n)
       :: n == mine ->
          assert(mine == N - 1 && leaders == 0);
          leaders++;
          link[(_pid + 1) % N]!leader(mine)
       fi
    :: link[_pid]?leader(n) ->
       if
       :: n != mine -> link[(_pid + 1) % N]!leader(n)
       :: else -> skip
       fi;
       break
    od
}
