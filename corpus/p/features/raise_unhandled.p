//@ about: A raised event without a handler is unhandled, like one from the queue.
//@ source: the P manual, statements
//@ expect unhandled: violated !explore
event eRaised;

machine Main {
    start state Init {
        entry { raise eRaised; }
    }
}
