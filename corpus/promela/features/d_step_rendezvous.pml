//@ about: a rendezvous that is offered in a deterministic sequence fails, even if it is the only statement
//@ source: written for this corpus
//@ expect assert: violated
chan r = [0] of { byte };

active proctype P() {
    d_step { r ! 1 }
}

active proctype Q() {
    r ? 1
}
