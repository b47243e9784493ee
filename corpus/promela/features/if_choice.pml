//@ about: a choice among several open options is free, and every one of them is taken in some run
//@ source: written for this corpus
//@ expect assert: violated !explore
//@ expect deadlock: proved !explore
byte x = 3, way;

active proctype P() {
    if
    :: x > 0 -> way = 1
    :: x > 1 -> way = 2
    :: x > 5 -> way = 3
    fi;
    assert(way != 2)
}
