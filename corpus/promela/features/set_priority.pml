//@ about: a process that lowers its own priority lets the others go first
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
byte x;

active proctype A() priority 10 {
    assert(_priority == 10 && get_priority(_pid) == 10);
    x = 1;
    set_priority(_pid, 2);
    assert(x == 3);
    x = 4
}

active proctype B() priority 5 {
    assert(x == 1);
    x = 2;
    x = 3
}
