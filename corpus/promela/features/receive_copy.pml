//@ about: receives that leave the message where it is
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
chan q = [3] of { byte, byte };

active proctype P() {
    byte a, b;
    q!1, 10;
    q!2, 20;
    q?<a, b>;
    assert(a == 1 && b == 10 && len(q) == 2);
    q??<2, b>;
    assert(b == 20 && len(q) == 2);
    if
    :: q?<2, b> -> assert(false)
    :: q?<1, b> -> assert(b == 10)
    fi;
    q?a, _;
    assert(a == 1 && len(q) == 1)
}
