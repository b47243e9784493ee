//@ about: processes that create processes, with arguments and channels as arguments
//@ source: written for this corpus
//@ expect deadlock: proved !explore
chan done = [2] of { pid };

proctype Child(chan out; byte n) {
    byte k = n + 1;
    do
    :: k > 0 -> k--
    :: k == 0 -> break
    od;
    out!_pid
}

init {
    pid a;
    chan own = [1] of { pid };
    atomic {
        a = run Child(done, 1);
        run Child(own, 2)
    }
    done?eval(a);
    own?a
}
