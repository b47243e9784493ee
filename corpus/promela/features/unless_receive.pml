//@ about: an interrupt through a channel
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
mtype = { stop };
chan interrupt = [1] of { mtype };
byte work;
bool stopped;

active proctype Worker() {
    {
        do
        :: work = (work + 1) % 3
        od
    } unless {
        interrupt?stop -> stopped = true
    };
    work = 7
}

active proctype Boss() {
    interrupt!stop;
    (work == 7);
    assert(stopped)
}
