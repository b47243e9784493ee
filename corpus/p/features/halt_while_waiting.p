//@ about: A machine that waits for other events still halts.
//@ source: P's runtime
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: proved !explore
event eNever;

machine Main {
    start state Init {
        entry {
            send this, halt;
            receive { case eNever: { } }
            assert false, "it goes on";
        }
    }
}
