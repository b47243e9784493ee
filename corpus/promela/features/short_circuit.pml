//@ about: the right side of && and || is not looked at when the left one decides
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
byte a[2] = 1;
byte i;

active proctype P() {
    do
    :: i < 2 && a[i] == 1 -> i++
    :: i >= 2 || a[i] != 1 -> break
    od;
    assert(i == 2)
}
