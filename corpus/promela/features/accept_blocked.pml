//@ about: a process that ends its days at an accept label, where it stays for ever
//@ source: written for this corpus
//@ expect deadlock: violated !explore
//@ expect accept: violated
byte x;

active proctype P() {
    x = 1;
accept:
    (x == 2)
}
