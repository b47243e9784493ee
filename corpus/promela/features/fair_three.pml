//@ about: three processes under weak fairness, one of which waits for a condition that comes and goes
//@ source: written for this corpus
//@ option fair
//@ expect deadlock: proved !explore
//@ expect livelock: violated
//@ expect ltl:toggles: proved
bool on;
byte n;

active proctype Toggle() {
    do
    :: on = !on
    od
}

active proctype Spin() {
    do
    :: n = 1 - n
    od
}

active proctype Waiter() {
    do
    :: on ->
progress:
       skip
    od
}

ltl toggles { [] <> on && [] <> !on && [] <> (n == 1) }
