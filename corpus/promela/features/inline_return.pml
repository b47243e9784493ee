//@ about: an inline sequence with a result
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
byte larger;

inline max(a, b) {
    if
    :: a > b -> return a
    :: else -> return b
    fi
}

active proctype P() {
    byte i = 5;
    larger = max(i, 3);
    assert(larger == 5);
    larger = max(larger - 2, i + 1);
    assert(larger == 6)
}
