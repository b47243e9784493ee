//@ about: a server that waits for ever at an end label is no deadlock
//@ source: written for this corpus
//@ expect deadlock: proved !explore
chan q = [1] of { byte };

active proctype Server() {
    byte v;
end_idle:
    do
    :: q?v -> skip
    od
}

active proctype Client() {
    q!1;
    q!2
}
