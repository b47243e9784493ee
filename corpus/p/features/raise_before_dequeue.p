//@ about: A raised event is handled before anything that waits in the queue.
//@ source: the P manual, statements
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: proved !explore
event eQueued;
event eRaised;

machine Main {
    var raised: bool;

    start state Init {
        entry {
            send this, eQueued;
            raise eRaised;
        }
        on eRaised do { raised = true; }
        on eQueued do { assert raised, "the queue was looked at first"; }
    }
}
