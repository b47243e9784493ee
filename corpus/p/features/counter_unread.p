//@ about: A counter that grows for ever, and nothing depends on it.
//@ source: written for the corpus
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: proved !explore
//@ note: the states differ in the counter only, which nobody reads
event eTick;

machine Main {
    var ticks: int;
    var other: bool;

    start state Init {
        entry { send this, eTick; }
        on eTick do {
            ticks = ticks + 1;
            assert !other, "never set";
            send this, eTick;
        }
    }
}
