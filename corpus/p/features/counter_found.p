//@ about: A counter that grows for ever; the assertion fails early.
//@ source: written for the corpus
//@ expect assert: violated !explore
event eTick;

machine Main {
    var ticks: int;

    start state Init {
        entry { send this, eTick; }
        on eTick do {
            ticks = ticks + 1;
            assert ticks < 20, "this is reached";
            send this, eTick;
        }
    }
}
