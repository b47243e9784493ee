//@ about: processes that are started with a priority
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
byte x;

proctype Child(byte v) {
    x = v;
    x = v + 1
}

init {
    byte y;
    run Child(10) priority 5;
    assert(x == 11);
    set_priority(_pid, 9);
    run Child(20) priority 5;
    assert(x == 11);
    set_priority(_pid, 1);
    y = x;
    assert(y == 21)
}
