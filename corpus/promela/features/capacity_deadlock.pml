//@ about: two processes that first send and then receive: with room for one message each they wait for ever
//@ source: written for this corpus
//@ expect deadlock: violated !explore
//@ note: capacity_enough.pml is the same with room for two
#define ROOM 1
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
