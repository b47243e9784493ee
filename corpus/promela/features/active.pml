//@ about: processes that are there from the beginning have numbers in the order of the text
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
byte started;

active proctype First() {
    assert(_pid == 0);
    started++
}

init {
    assert(_pid == 1 && _nr_pr >= 2 && _nr_pr <= 4);
    started++
}

active [2] proctype Last(byte none) {
    assert(_pid == 2 || _pid == 3);
    assert(none == 0);
    started++
}
