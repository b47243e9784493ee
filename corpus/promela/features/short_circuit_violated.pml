//@ about: with the sides of && turned round, the index is out of bounds before it is tested
//@ source: written for this corpus
//@ expect assert: violated !explore
byte a[2] = 1;
byte i;

active proctype P() {
    do
    :: a[i] == 1 && i < 2 -> i++
    :: i >= 2 -> break
    od
}
