//@ about: a parent that waits until its first child has gone, while the second cannot go
//@ source: written for this corpus
//@ expect deadlock: violated !explore
bool go;

proctype Short() {
    skip
}

proctype Long() {
    go
}

init {
    atomic { run Short(); run Long() };
    (_nr_pr < 3);
    go = true
}
