//@ about: an accept label that is passed at most once
//@ source: written for this corpus
//@ expect deadlock: proved !explore
//@ expect accept: proved
byte n;

active proctype P() {
    if
    :: skip
    :: n = 1;
accept_once:
       n = 2
    fi;
    do
    :: n = 3
    :: n = 4
    od
}
