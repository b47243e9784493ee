//@ about: two processes that first send and then receive, with room for both messages
//@ source: written for this corpus
//@ expect deadlock: proved !explore
//@ note: capacity_deadlock.pml is the same with room for one
#define ROOM 2
chan left = [ROOM] of { byte };
chan right = [ROOM] of { byte };

active proctype A() {
    right!1;
    right!2;
    left?_;
    left?_
}

active proctype B() {
    left!1;
    left!2;
    right?_;
    right?_
}
