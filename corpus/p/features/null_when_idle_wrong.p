//@ about: The null handler runs only when nothing can be taken from the queue; here the opposite is asserted.
//@ source: the P manual, state machines
//@ expect assert: violated !explore
event eA;

machine Main {
    var seen: bool;

    start state Init {
        entry { send this, eA; }
        on eA do { seen = true; }
        on null do {
            assert !seen, "there was something to take";
            goto Done;
        }
    }

    state Done { }
}
