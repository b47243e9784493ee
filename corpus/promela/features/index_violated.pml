//@ about: an index that is one too large
//@ source: written for this corpus
//@ expect assert: violated !explore
byte a[2];
byte i;

active proctype P() {
    do
    :: i <= 2 -> a[i] = i; i++
    :: i > 2 -> break
    od
}
