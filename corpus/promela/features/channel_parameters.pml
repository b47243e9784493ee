//@ about: channels as parameters: one kind of process between different channels
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
chan first = [1] of { byte };
chan middle = [1] of { byte };
chan last = [1] of { byte };

proctype Stage(chan in, out; byte add) {
    byte v;
    in?v;
    out!v + add
}

init {
    byte v;
    atomic {
        run Stage(first, middle, 10);
        run Stage(middle, last, 20)
    }
    first!1;
    last?v;
    assert(v == 31)
}
