//@ about: an escape is tried before every statement
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
byte x, alarm, seen;

active proctype P() {
    {
        do
        :: x < 4 -> x++; assert(!alarm || seen == 0)
        :: x == 4 -> x = 0
        od
    } unless {
        alarm -> seen = 1
    };
    assert(alarm == 1 && seen == 1)
}

active proctype Q() {
    x == 3 -> alarm = 1
}
