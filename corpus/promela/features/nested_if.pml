//@ about: choices inside choices are one choice, and the inner else belongs to the inner one only
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
byte x = 1, way;

active proctype P() {
    if
    :: if
       :: x == 0 -> way = 1
       :: x == 2 -> way = 2
       fi
    :: x == 1 ->
       if
       :: x == 7 -> way = 3
       :: else -> way = 4
       fi
    fi;
    assert(way == 4)
}
