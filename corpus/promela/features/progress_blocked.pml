//@ about: a run that gets stuck is no livelock
//@ source: written for this corpus
//@ expect deadlock: violated !explore
//@ expect livelock: none !explore
byte x;

active proctype P() {
    do
    :: x == 0 -> x = 1
    :: x == 2 ->
progress:
       x = 0
    od
}
