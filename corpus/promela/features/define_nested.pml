//@ about: macros whose arguments are macros, and macros that stand for pieces of a choice
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
#define MAX(a, b) ((a) > (b) -> (a) : (b))
#define MAX3(a, b, c) MAX(a, MAX(b, c))
#define WHEN(c) :: (c) ->
#define P(s) atomic { s > 0 -> s-- }
#define V(s) s++
byte x, lock = 1;

active [2] proctype Process() {
    byte m = MAX3(2, 7, _pid);
    P(lock);
    if
    WHEN(m == 7) x = x + m
    WHEN(m != 7) assert(false)
    fi;
    V(lock);
    assert(lock <= 1 && x >= 7)
}
