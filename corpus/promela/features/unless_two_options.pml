//@ about: an escape with a choice of its own
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
byte x, way;

active proctype P() {
    {
        do
        :: x < 10 -> x++
        od
    } unless {
        if
        :: x == 4 -> way = 1
        :: x == 6 -> way = 2
        fi
    };
    assert(way == 1 && x == 4)
}
