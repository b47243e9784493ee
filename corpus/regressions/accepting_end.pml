//@ about: no run is infinite, and a formula and an accept label are judged all the same
//@ source: written for this corpus
//@ expect livelock: none !explore
//@ expect accept: violated
//@ expect ltl:done: proved
//@ expect ltl:never_done: violated
//@ note: a run that ends goes on with its last configuration for ever.

byte n;

active proctype Worker() {
progress:
    n = 1;
accept:
    n == 7
}

ltl done { <> (n == 1) }
ltl never_done { [] (n == 0) }
