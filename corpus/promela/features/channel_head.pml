//@ about: a message that does not fit at the head keeps those behind it from being taken
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: violated !explore
mtype = { red, blue };
chan q = [2] of { mtype };
byte n;

active proctype P() {
    q!red;
    q!blue;
    assert(!q?[blue] && q??[blue]);
    q?blue;
    n++
}
