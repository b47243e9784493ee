//@ about: a process that is held back by its condition for ever
//@ source: written for this corpus
//@ expect deadlock: violated !explore
bool on = true;

active proctype P() provided (on) {
    skip;
    on = false;
    skip
}
