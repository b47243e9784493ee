//@ about: every infinite run passes the progress label again and again
//@ source: written for this corpus
//@ expect deadlock: proved !explore
//@ expect livelock: proved
byte n;

active proctype Worker() {
    do
    :: n < 3 -> n++
    :: n == 3 ->
progress:
       n = 0
    od
}
