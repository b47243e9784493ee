//@ about: a channel that a process owns, shared with its child
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
byte total;

proctype Child(chan up) {
    byte i;
    for (i : 1 .. 3) {
        up!i
    }
}

active [2] proctype Parent() {
    chan own = [1] of { byte };
    byte v;
    run Child(own);
    do
    :: own?v -> total = total + v
    :: v == 3 -> break
    od;
    assert(total >= 6 && total <= 12)
}
