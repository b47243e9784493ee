//@ about: records of processes, and parts of records as arguments
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
typedef Pair { byte a; byte b };
Pair all[2];

proctype Child(byte me, x) {
    all[me].a = x;
    all[me].b = all[me].a + x
}

init {
    Pair own;
    own.a = 4;
    own.b = 5;
    atomic { run Child(0, own.a); run Child(1, own.b) };
    (_nr_pr == 1);
    assert(all[0].b == 8 && all[1].b == 10)
}
