//@ about: a process goes only after all that were created after it
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
byte done;

proctype Early() {
    done = 1
}

proctype Late() {
    done == 1;
    assert(_nr_pr == 3);
    done = 2
}

init {
    atomic { run Early(); run Late() };
    (_nr_pr <= 2);
    assert(done == 2)
}
