//@ about: two processes count without a lock, and one step is lost
//@ source: written for this corpus
//@ expect assert: violated !explore
//@ expect deadlock: proved !explore
byte n, done;

active [2] proctype Counter() {
    byte read;
    read = n;
    n = read + 1;
    done++;
    done == 2 -> assert(n == 2)
}
