//@ about: a run that ends is no livelock, even without any progress
//@ source: written for this corpus
//@ expect deadlock: proved !explore
//@ expect livelock: none !explore
byte n;

active proctype P() {
    do
    :: n < 4 -> n++
    :: n == 4 -> break
    od;
    if
    :: n == 5 ->
progress:
       n = 0
    :: else -> skip
    fi
}
