//@ about: a process passes an accept label and the run ends elsewhere
//@ source: written for this corpus
//@ expect deadlock: proved !explore
//@ expect accept: proved
byte x;

active proctype P() {
    x = 1;
accept:
    x = 2;
    x = 3
}
