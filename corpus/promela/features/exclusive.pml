//@ about: promises that only one process receives and only one sends
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
chan q = [2] of { byte };

active proctype Sender() {
    xs q;
    byte i;
    do
    :: i < 3 -> q!i; i++
    :: else -> break
    od
}

active proctype Receiver() {
    xr q;
    byte v, n;
    do
    :: q?v -> assert(v == n); n++
    :: n == 3 -> break
    od
}
