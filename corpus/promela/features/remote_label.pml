//@ about: where other processes are, in a process and in a formula
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
//@ expect ltl:apart: proved
//@ expect ltl:vacant: violated
bool busy;

active [2] proctype P() {
    do
    :: atomic { !busy -> busy = true };
inside:
       skip;
leaving:
       busy = false
    od
}

active proctype Watch() {
    do
    :: atomic { P[0]@inside -> assert(!P[1]@inside) }
    :: P[1]@leaving -> break
    od
}

ltl apart { [] !(P[0]@inside && P[1]@inside) }
ltl vacant { [] !P[1]@leaving }
