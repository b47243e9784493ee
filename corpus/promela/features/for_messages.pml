//@ about: a loop over the messages in a channel leaves them in their places
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
typedef M { byte id; byte weight };
chan q = [3] of { M };
byte sum;

active proctype P() {
    M m;
    m.id = 1; m.weight = 10;
    q!m;
    m.id = 2; m.weight = 20;
    q!m;
    for (m in q) {
        sum = sum + m.weight
    }
    assert(sum == 30 && len(q) == 2);
    q?m;
    assert(m.id == 1)
}
