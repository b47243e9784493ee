//@ about: a record travels as a whole
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
typedef Job { byte id; bit urgent; short cost };
chan jobs = [2] of { Job };
chan tagged = [1] of { byte, Job };

active proctype Boss() {
    Job j;
    j.id = 7; j.urgent = 1; j.cost = -5;
    jobs!j;
    j.id = 8; j.urgent = 0;
    jobs!j;
    tagged!3, j
}

active proctype Worker() {
    Job k;
    byte tag;
    jobs?k;
    assert(k.id == 7 && k.urgent && k.cost == -5);
    jobs?k;
    assert(k.id == 8 && !k.urgent && k.cost == -5);
    k.cost = 0;
    tagged?tag, k;
    assert(tag == 3 && k.cost == -5)
}
