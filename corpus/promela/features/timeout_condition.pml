//@ about: timeout as a part of a condition, and its opposite
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
byte x;

active proctype P() {
    atomic { (timeout || x == 1) -> assert(x == 3 || x == 1) };
    x = 4
}

active proctype Q() {
    x = 1;
    x = 2;
    if
    :: !timeout -> x = 3
    :: timeout -> assert(false)
    fi
}
