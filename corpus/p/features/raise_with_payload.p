//@ about: A raised event carries its payload into the next state.
//@ source: the P manual, statements
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: none !explore
event eRaised: (int, bool);

machine Main {
    start state Init {
        entry { raise eRaised, 3, true; }
        on eRaised goto Next;
    }

    state Next {
        entry (both: (int, bool)) { assert both.0 == 3 && both.1, "the payload is lost"; }
    }
}
