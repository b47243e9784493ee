//@ about: a process with a progress label, which ends, as does every run
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect unhandled: none
//@ expect deadlock: proved !explore
//@ expect livelock: none !explore
//@ expect accept: none
//@ expect divergence: none
//@ note: there is no run that could go on without progress.

byte n;

active proctype Worker() {
progress:
    n = 1;
    n = 2
}
