//@ about: A deferred halt waits in the queue and ends the machine in the first state that does not defer it.
//@ source: the P manual, expressions
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: proved !explore
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
        on eB do { assert false, "halt lies before it"; }
    }
}
