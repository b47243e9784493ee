//@ about: a name that is defined, forgotten and defined again
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
#define STEP 1
byte x;

active proctype P() {
    x = x + STEP;
#undef STEP
#define STEP 10
    x = x + STEP;
    assert(x == 11)
}
