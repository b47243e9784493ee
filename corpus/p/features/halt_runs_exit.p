//@ about: A machine that halts leaves its state first: the exit function runs.
//@ source: P's runtime
//@ expect assert: violated !explore
machine Main {
    start state Init {
        entry { raise halt; }
        exit { assert false, "this is reached"; }
    }
}
