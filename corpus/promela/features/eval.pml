//@ about: eval compares with the value of a variable instead of overwriting it
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
chan q = [2] of { byte, byte };

active [2] proctype P() {
    byte v;
    q!_pid, 10 + _pid;
    q??eval(_pid), v;
    assert(v == 10 + _pid);
    v = _pid;
    q!v + 2, v;
    q??eval(v + 2), eval(_pid)
}
