//@ about: what the questions about length answer for a channel without room
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
chan c = [0] of { byte };

active proctype P() {
    assert(len(c) == 0 && empty(c) && nfull(c));
    if
    :: full(c) -> assert(false)
    :: nempty(c) -> assert(false)
    :: else -> skip
    fi
}
