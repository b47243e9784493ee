//@ about: arrays with one value for all elements and with a list of values, and computed indices
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
byte same[3] = 4;
byte each[3] = { 2, 0, 1 };
short big[2];

active proctype P() {
    byte i;
    assert(same[0] + same[1] + same[2] == 12);
    i = same[each[1]] - each[0];
    assert(i == 2 && each[i] == 1 && same[each[0]] == 4);
    i = each[0];
    each[i] = 7;
    i = 0;
    assert(each[2] == 7);
    big[i + 1] = -300;
    assert(big[1] == -300 && big[0] == 0)
}
