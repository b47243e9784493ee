//@ about: escapes inside of escapes: the outer one comes first
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
//@ note: with the option -J, SPIN tries the inner one first
byte x, way;

active proctype P() {
    {
        {
            x = 1;
            assert(false)
        } unless {
            x == 1 -> way = 1
        }
    } unless {
        x == 1 -> way = 2
    };
    assert(way == 2)
}
