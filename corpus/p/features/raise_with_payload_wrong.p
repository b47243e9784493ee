//@ about: A raised event carries its payload into the next state; here the opposite is asserted.
//@ source: the P manual, statements
//@ expect assert: violated !explore
event eRaised: (int, bool);

machine Main {
    start state Init {
        entry { raise eRaised, 3, true; }
        on eRaised goto Next;
    }

    state Next {
        entry (both: (int, bool)) { assert both.0 != 3 && both.1, "the payload is lost"; }
    }
}
