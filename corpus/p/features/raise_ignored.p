//@ about: An event that is raised where it is ignored is dropped.
//@ source: P's runtime
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: proved !explore
event eRaised;
event eNext;

machine Main {
    start state Init {
        entry {
            send this, eNext;
            raise eRaised;
        }
        ignore eRaised;
        on eNext goto Next;
    }

    state Next {
        on eRaised do { assert false, "it was kept"; }
    }
}
