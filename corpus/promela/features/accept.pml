//@ about: an accept label that is passed again and again
//@ source: written for this corpus
//@ expect deadlock: proved !explore
//@ expect accept: violated
byte n;

active proctype P() {
    do
    :: n = 0
    :: n == 0 ->
accept:
       n = 1
    od
}
