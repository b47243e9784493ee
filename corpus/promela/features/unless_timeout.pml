//@ about: an escape that opens when nothing else can move
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
byte x;
bool escaped;

active proctype P() {
    {
        x = 1;
        (x == 7);
        x = 8
    } unless {
        timeout -> escaped = true
    };
    assert(escaped && x == 3)
}

active proctype Q() {
    x == 1 -> x = 2;
    x = 3
}
