//@ about: who only waits to be handed something may be passed over for ever in a fair run
//@ source: written for this corpus
//@ option fair
//@ expect deadlock: proved !explore
//@ expect ltl:comes: violated
//@ note: a process that receives from a rendezvous channel cannot move by itself, so fairness owes it nothing
chan c = [0] of { byte };
bool got;

active proctype Sender() {
    do
    :: c!1
    od
}

active proctype Other() {
end:
    do
    :: c?_
    od
}

active proctype Passed() {
    c?_ -> got = true
}

ltl comes { <> got }
