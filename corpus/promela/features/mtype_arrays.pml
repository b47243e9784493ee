//@ about: symbolic names in arrays, records and comparisons
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
mtype = { idle, busy, broken };
typedef Machine { mtype state; byte jobs };
mtype history[3] = idle;
Machine m[2];

active proctype P() {
    m[0].state = busy;
    history[1] = m[0].state;
    history[2] = (m[1].state == 0 -> broken : idle);
    assert(history[0] == idle && history[1] == busy && history[2] == broken);
    assert(m[1].state != idle)
}
