//@ about: a ring elects its greatest node: smaller numbers are swallowed on their way
//@ source: E. Chang and R. Roberts, An improved algorithm for decentralized extrema-finding, 1979
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
//@ expect ltl:elected: proved
#define N 4
mtype = { candidate, leader };
chan link[N] = [N] of { mtype, byte };
byte leaders;

active [N] proctype Node() {
    byte mine = (3 * _pid + 2) % N;
    byte n;
    link[(_pid + 1) % N]!candidate(mine);
    do
    :: link[_pid]?candidate(n) ->
       if
       :: n > mine -> link[(_pid + 1) % N]!candidate(n)
       :: n < mine -> skip
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

ltl elected { <> [] (leaders == 1) }
