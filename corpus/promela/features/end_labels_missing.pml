//@ about: the same server without its end label
//@ source: written for this corpus
//@ expect deadlock: violated !explore
chan q = [1] of { byte };

active proctype Server() {
    byte v;
    do
    :: q?v -> skip
    od
}

active proctype Client() {
    q!1;
    q!2
}
