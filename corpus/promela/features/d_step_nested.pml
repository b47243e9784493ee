//@ about: an atomic or another deterministic sequence first in a deterministic sequence is waited for as its first statement is
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
//@ expect stuck: proved !explore
byte x;

active proctype P() {
    d_step { atomic { x == 1 -> x = 2 }; x++ };
    assert(x == 3)
}

active proctype Q() {
    d_step { d_step { x == 0 -> x = 1 } }
}
