//@ about: numbers of processes that have gone are given again
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
byte n;

proctype Child() {
    n++
}

init {
    pid p, q;
    p = run Child();
    (_nr_pr == 1);
    q = run Child();
    assert(p == q && q == 1);
    (_nr_pr == 1);
    assert(n == 2)
}
