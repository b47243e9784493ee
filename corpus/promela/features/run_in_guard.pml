//@ about: run as a guard, and as an argument of an assignment
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
byte n;

proctype Child(byte k) {
    n = n + k
}

init {
    pid p;
    if
    :: run Child(1) -> p = run Child(2)
    :: n > 9 -> skip
    fi;
    (_nr_pr == 1);
    assert(n == 3 || n == 1 || n == 2);
    assert(p > 0)
}
