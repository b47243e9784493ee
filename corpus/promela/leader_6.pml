//@ about: 6 nodes in a ring that passes messages one way elect the greatest number
//@ source: D. Dolev, M. Klawe and M. Rodeh, An O(n log n) unidirectional distributed algorithm for extrema finding, 1982
//@ limit states=20000
//@ expect assert: proved
//@ expect deadlock: proved
//@ expect ltl:elected: proved
#define N 6
mtype = { own, next, leader };
chan link[N] = [2] of { mtype, byte };
byte leaders;

active [N] proctype Node() {
    /* The numbers are a permutation of 1 to N in which neighbours differ much. */
    byte mine = 1 + (5 * _pid + 1) % N;
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
