//@ about: two senders and two receivers at one channel without room: any pair may meet
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
chan c = [0] of { pid };
byte pairs;
byte partner[4];

active [2] proctype Sender() {
    c!_pid
}

active [2] proctype Receiver() {
    pid who;
    c?who;
    partner[_pid] = who + 1;
    pairs++;
    assert(pairs < 2 || partner[2] != partner[3])
}
