//@ about: a progress label inside of an atomic sequence does not count
//@ source: written for this corpus
//@ expect deadlock: proved !explore
//@ expect livelock: violated
//@ note: SPIN warns that such a label is invisible
byte x;

active proctype P() {
    do
    :: atomic {
           x = 1;
progress:
           x = 2;
           x = 0
       }
    od
}
