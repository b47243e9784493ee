//@ about: names that are known in a block only, and used again in the next
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
byte x;

active proctype P() {
    {
        byte v = 3;
        x = v
    };
    {
        byte v = 4;
        byte w = v;
        x = x + w
    };
    do
    :: x < 9 -> byte v = 1; x = x + v
    :: else -> break
    od;
    assert(x == 9)
}
