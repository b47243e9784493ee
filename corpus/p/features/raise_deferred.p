//@ about: An event that is raised where it is deferred is lost.
//@ source: P's runtime
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: proved !explore
//@ note: an event that is sent instead would be kept, see defer_keeps_order.p
event eRaised;
event eNext;

machine Main {
    start state Init {
        entry {
            send this, eNext;
            raise eRaised;
        }
        defer eRaised;
        on eNext goto Next;
    }

    state Next {
        on eRaised do { assert false, "it was kept"; }
    }
}
