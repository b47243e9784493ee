//@ about: a bit keeps the lowest bit of what is assigned
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
bit b;
bool c;

active proctype P() {
    b = 3;
    assert(b == 1);
    b = 2;
    assert(b == 0);
    b--;
    assert(b == 1);
    c = !c;
    c++;
    assert(c == false)
}
