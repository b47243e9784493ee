//@ about: unsigned variables of any number of bits
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
unsigned one : 1;
unsigned five : 5 = 31;
unsigned twelve : 12 = 4095;

active proctype P() {
    unsigned three : 3 = 6;
    three = three + 3;
    assert(three == 1);
    five++;
    assert(five == 0);
    twelve = twelve + 2;
    assert(twelve == 1);
    one = 7;
    assert(one == 1);
    three = 0 - 1;
    assert(three == 7)
}
