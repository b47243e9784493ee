//@ about: arrays of channels that belong to a process, handed to its children
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
proctype Child(chan in, out) {
    byte v;
    in?v;
    out!v * 2
}

init {
    chan link[3] = [1] of { byte };
    byte v;
    atomic { run Child(link[0], link[1]); run Child(link[1], link[2]) };
    link[0]!5;
    link[2]?v;
    assert(v == 20)
}
