//@ about: an index below zero, in a condition
//@ source: written for this corpus
//@ expect assert: violated !explore
byte a[3] = 1;
short i = 1;

active proctype P() {
    do
    :: a[i] == 1 -> i--
    :: a[i] == 2 -> break
    od
}
