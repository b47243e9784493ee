//@ about: several labels at one statement, and a label at the end
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
byte n;

active proctype P() {
first:
second:
    n++;
    if
    :: n == 1 -> goto first
    :: n == 2 -> goto second
    :: n == 3 -> goto last
    fi;
    assert(false);
last:
    skip
}

active proctype Q() {
    n >= 3 -> assert(n == 3)
}
