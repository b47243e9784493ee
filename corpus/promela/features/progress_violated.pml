//@ about: a worker who may turn round for ever before the progress label
//@ source: written for this corpus
//@ expect deadlock: proved !explore
//@ expect livelock: violated
byte n;

active proctype Worker() {
    do
    :: n < 3 -> n++
    :: n > 0 -> n--
    :: n == 3 ->
progress:
       n = 0
    od
}
