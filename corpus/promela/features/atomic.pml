//@ about: two processes count inside of atomic sequences, and no step is lost
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
byte n, done;

active [3] proctype Counter() {
    byte read;
    atomic {
        read = n;
        n = read + 1
    };
    atomic {
        done++;
        if
        :: done == 3 -> assert(n == 3)
        :: else -> skip
        fi
    }
}
