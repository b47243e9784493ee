//@ about: an escape that begins with a handshake
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
chan stop = [0] of { byte };
byte work, why;

active proctype Worker() {
    {
        do
        :: work < 2 -> work++
        :: work == 2 -> work = 0
        od
    } unless {
        stop?why
    };
    assert(why == 5 && work <= 2)
}

active proctype Boss() {
    (work == 1);
    stop!5
}
