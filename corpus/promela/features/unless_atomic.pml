//@ about: an escape from an atomic sequence and from a deterministic one: the latter is one step
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
byte x, way;

active proctype P() {
    {
        atomic { x = 1; x = 2; assert(false) }
    } unless {
        x == 1 -> way = 1
    };
    assert(way == 1 && x == 1);
    {
        d_step { x = 5; x = 6; x = 7 };
        assert(false)
    } unless {
        x == 5 || x == 7 -> way = x
    };
    assert(way == 7)
}
