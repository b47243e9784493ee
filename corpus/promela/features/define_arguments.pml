//@ about: macros with and without arguments, macros in macros, and a definition over several lines
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
#define LIMIT 3
#define TWICE(x) ((x) + (x))
#define BUMP(v, by) v = v + by
#define LOOP(i, n) \
    i = 0; \
    do \
    :: i < n ->
#define POOL(i) \
        i++ \
    :: else -> break \
    od

byte sum;

active proctype P() {
    byte i;
    LOOP(i, LIMIT)
        BUMP(sum, TWICE(i + 1));
    POOL(i);
    assert(sum == 12 && i == LIMIT)
}
