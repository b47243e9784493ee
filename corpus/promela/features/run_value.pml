//@ about: run gives the number of the new process
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
byte seen[3];

proctype Child(byte a; short b; bit c) {
    assert(a == 44 && b == -1 && c == 1);
    seen[_pid] = 1
}

init {
    pid p;
    p = run Child(300, -1, 3);
    assert(p == 1);
    p = run Child(44, 65535, 1);
    assert(p == 1 || p == 2);
    (_nr_pr == 1);
    assert(seen[p] == 1 && seen[1] == 1)
}
