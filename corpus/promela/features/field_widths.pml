//@ about: constants in a receive are compared with what was stored, not with what was sent
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
chan q = [1] of { byte, byte };

active proctype P() {
    byte x;
    q!-1, 7;
    if
    :: q?-1, x -> assert(false)
    :: q?255, x -> assert(x == 7)
    fi;
    q!256 + 9, 0;
    q?9, x;
    assert(x == 0)
}
