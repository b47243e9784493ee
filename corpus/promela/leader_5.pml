//@ about: 5 nodes in a ring that passes messages one way elect the greatest number
//@ source: D. Dolev, M. Klawe and M. Rodeh, An O(n log n) unidirectional distributed algorithm for extrema finding, 1982
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
//@ expect ltl:elected: proved
//@ note: -D N=10 makes it ten nodes; N is odd, or even and no multiple of 7
#ifndef N
#define N 5
#endif
#define STRIDE (N % 2 * 2 + (1 - N % 2) * 7)
mtype = { own, next, leader };
chan link[N] = [2] of { mtype, byte };
byte leaders;

active [N] proctype Node() {
    /* The numbers are a permutation of 1 to N in which neighbours differ much. */
    byte mine = 1 + (STRIDE * _pid + 1) % N;
    byte left, beyond;
    mtype kind;

active_node:
    link[(_pid + 1) % N]!own(mine);
    link[_pid]?own(left);
    if
    :: left == mine ->
       assert(mine == N && leaders == 0);
       leaders++;
       link[(_pid + 1) % N]!leader(mine);
       link[_pid]?leader(_);
       goto done
    :: else -> skip
    fi;
    link[(_pid + 1) % N]!next(left);
    link[_pid]?next(beyond);
    if
    :: left > mine && left > beyond -> mine = left; goto active_node
    :: else -> skip
    fi;

    /* Passive nodes hand everything on. */
    do
    :: link[_pid]?kind(left) ->
       link[(_pid + 1) % N]!kind(left);
       if
       :: kind == leader -> goto done
       :: else -> skip
       fi
    od;
done:
    skip
}

ltl elected { <> [] (leaders == 1) }
