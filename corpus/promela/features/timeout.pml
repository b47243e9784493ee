//@ about: timeout is open when nothing else in the whole system is
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
chan q = [1] of { byte };
byte lost, resent;

active proctype Sender() {
    q!1;
    do
    :: timeout -> resent++; q!1
    :: lost == 3 -> break
    od
}

active proctype Loser() {
    do
    :: q?_ -> lost++; assert(lost == resent + 1)
    :: lost == 3 -> break
    od
}
