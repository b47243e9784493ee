//@ about: two philosophers who each take the left fork first
//@ source: the dining philosophers of E. W. Dijkstra
//@ expect deadlock: violated steps=4 bound=1 !explore
chan fork[2] = [1] of { bit };

active [2] proctype Philosopher() {
    fork[_pid]!1;
think:
    fork[_pid]?1;
    fork[1 - _pid]?1;
    fork[_pid]!1;
    fork[1 - _pid]!1;
    goto think
}
