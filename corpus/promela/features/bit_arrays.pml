//@ about: arrays of bits have whole bytes as elements
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
bit one;
bit many[2];
bool flags[3];

active proctype P() {
    one = 2;
    many[1] = 2;
    flags[2] = 259;
    assert(one == 0);
    assert(many[1] == 2 && many[0] == 0);
    assert(flags[2] == 3)
}
