//@ about: A deferred halt does not end the machine: the next state is reached.
//@ source: the P manual, expressions
//@ expect assert: violated !explore
event eA;
event eB;

machine Main {
    start state Init {
        entry {
            send this, halt;
            send this, eA;
            send this, eB;
        }
        defer halt;
        on eA goto Next;
    }

    state Next {
        entry { assert false, "this is reached"; }
    }
}
