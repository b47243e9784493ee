//@ about: a handshake from an atomic sequence to a process outside of one: the turn is given up
//@ source: written for this corpus
//@ expect assert: violated !explore
//@ expect deadlock: proved !explore
//@ note: the third process may come between the two assignments of the sender
chan c = [0] of { byte };
byte x;

active proctype Sender() {
    atomic {
        x = 1;
        c!1;
        assert(x == 1);
        x = 2
    }
}

active proctype Receiver() {
    c?_
}

active proctype Other() {
    x = 9
}
