//@ about: symbolic names of several kinds, each with numbers of its own
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
mtype:fruit = { apple, pear };
mtype:size = { small, medium, large };
mtype:fruit f = pear;
mtype:size s;
chan q = [1] of { mtype:fruit, mtype:size };

active proctype P() {
    q!apple, large;
    q?f, s;
    assert(f == apple && s == large);
    assert(apple == 2 && pear == 1 && large == 1)
}
