//@ about: a jump out of an atomic sequence gives up the turn, a jump into another one keeps it
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
byte x, saw;

active proctype P() {
    atomic {
        x = 1;
        goto second
    };
    assert(false);
    atomic {
        assert(false);
second:
        assert(x == 1);
        x = 2;
        goto out
    };
out:
    x = 3
}

active proctype Q() {
    saw = x;
    assert(saw != 1)
}
