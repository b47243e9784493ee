//@ about: a process waits at an accept label that is also an end label, when nothing else moves
//@ source: written for this corpus
//@ expect deadlock: proved !explore
//@ expect accept: violated
byte x;

active proctype P() {
    x = 1;
end:
accept:
    (x == 2)
}
