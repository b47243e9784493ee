//@ about: weak fairness does not help a process that can move only now and then
//@ source: written for this corpus
//@ option fair
//@ expect deadlock: proved !explore
//@ expect ltl:enters: violated
bool lock, entered;

active proctype Greedy() {
    do
    :: atomic { !lock -> lock = true };
       lock = false
    od
}

active proctype Modest() {
    atomic { !lock -> lock = true };
    entered = true;
    lock = false
}

ltl enters { <> entered }
