//@ about: a client sends the channel on which it wants its answer
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
chan ask = [2] of { byte, chan };

active [2] proctype Client() {
    chan reply = [0] of { byte };
    byte v;
    ask!_pid + 5, reply;
    reply?v;
    assert(v == 2 * (_pid + 5))
}

active proctype Server() {
    chan back;
    byte v;
end:
    do
    :: ask?v, back -> back!2 * v
    od
}
