//@ about: an end label helps only the process that is there, not the one that waits elsewhere
//@ source: written for this corpus
//@ expect deadlock: violated !explore
chan q = [1] of { byte };

active proctype Server() {
end:
    do
    :: q?1; q?2
    od
}

active proctype Client() {
    q!1;
    q!2;
    q!1
}
