//@ about: a claim moves before the system does: its first step sees the first state
//@ source: written for this corpus
//@ expect deadlock: proved !explore
//@ expect ltl:never: violated
byte x = 7;

active proctype P() {
    x = 1;
    x = 2
}

never {
    (x == 7);
    (x == 1);
    (x == 2)
}
