//@ about: an escape that never opens is left behind with its sequence
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
byte x;

active proctype P() {
    {
        x = 1;
        x = 2
    } unless {
        x > 2 -> assert(false)
    };
    x = 3;
    assert(x == 3)
}
