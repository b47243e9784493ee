//@ about: when the escape is open, the statement itself is not
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
byte x;

active proctype P() {
    {
        x = 1;
        x = 2;
        assert(false)
    } unless {
        x == 2 -> x = 10
    };
    assert(x == 10)
}
