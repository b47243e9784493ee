//@ about: a choice without else waits until an option opens
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
byte x, way;

active proctype P() {
    if
    :: x == 2 -> way = 2
    :: x == 3 -> way = 3
    fi;
    assert(way == 2 || way == 3)
}

active proctype Q() {
    x = 1; x = 2; x = 3
}
