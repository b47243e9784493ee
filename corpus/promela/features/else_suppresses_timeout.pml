//@ about: an else that is always open keeps every timeout closed
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
//@ expect ltl:no_timeout: proved
byte n;
bool timed_out;

active proctype Busy() {
    do
    :: n > 5 -> n = 0
    :: else -> n++
    od
}

active proctype Waiting() {
    timeout -> timed_out = true;
    assert(false)
}

ltl no_timeout { [] !timed_out }
