//@ about: Deferred events do not keep the null handler from running.
//@ source: the P manual, state machines
//@ expect assert: violated !explore
event eA;

machine Main {
    start state Init {
        entry { send this, eA; }
        defer eA;
        on null goto Next;
    }

    state Next {
        on eA do { assert false, "this is reached"; }
    }
}
