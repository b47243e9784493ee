//@ about: A counter that grows for ever and is looked at.
//@ source: written for the corpus
//@ expect assert: unknown
//@ expect unhandled: proved
//@ expect deadlock: proved
//@ expect bounded: proved
//@ limit states=20000
//@ note: it comes round after two to the power of 64 ticks; no search gets there
event eTick;

machine Main {
    var ticks: int;

    start state Init {
        entry { send this, eTick; }
        on eTick do {
            ticks = ticks + 1;
            assert ticks != 0, "the counter has come round";
            send this, eTick;
        }
    }
}
