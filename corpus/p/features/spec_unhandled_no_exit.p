//@ about: A spec that does not handle an event does not run its exit function first, unlike a machine.
//@ source: P's runtime
//@ expect assert: proved !explore
//@ expect unhandled: violated !explore
//@ expect deadlock: proved !explore
event eKnown;
event eUnknown;

machine Main {
    start state Init {
        entry { announce eUnknown; }
    }
}

spec Watch observes eKnown, eUnknown {
    start state Init {
        exit { assert false, "the exit function runs"; }
        on eKnown goto Init;
    }
}

test tcWatch [main=Main]: assert Watch in { Main };
