//@ about: a counting loop: both ends belong to it, and the counter is one more afterwards
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
byte sum, n = 2;

active proctype P() {
    byte i;
    for (i : 1 .. n + 1) {
        sum = sum + i
    }
    assert(sum == 6 && i == 4);
    for (i : 5 .. n) {
        assert(false)
    }
    assert(i == 5)
}
