//@ about: hidden variables are not part of the state; show and local change nothing
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
hidden byte scratch;
show byte seen;
local byte mine;

active proctype P() {
    do
    :: seen < 3 -> scratch = seen + 1; mine = scratch; seen = scratch
    :: else -> break
    od;
    assert(seen == 3)
}

active proctype Q() {
    (seen > 1);
    assert(seen <= 3)
}
