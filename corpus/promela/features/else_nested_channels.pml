//@ about: a choice whose first statement is another choice, with receives and else at the outer level
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
chan q = [1] of { byte };
byte way;

active proctype P() {
    if
    :: if
       :: q?1 -> way = 1
       :: q?2 -> way = 2
       fi
    :: else -> way = 3
    fi;
    assert(way == 2 || way == 3)
}

active proctype Q() {
    q!2
}
