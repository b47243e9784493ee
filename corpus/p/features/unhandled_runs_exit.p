//@ about: Before an unhandled message is reported, the exit function of the state runs.
//@ source: P's runtime
//@ expect assert: violated !explore
event eA;

machine Main {
    start state Init {
        entry { send this, eA; }
        exit { assert false, "this is reached"; }
    }
}
