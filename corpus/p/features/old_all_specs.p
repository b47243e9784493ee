//@ about: Without a test, every spec of a program of 2018 watches.
//@ source: P as of 2018
//@ expect assert: violated !explore
//@ note: spec_not_attached.p is the same under today's rule
event eA assume 3;

machine Main {
    start state Init {
        entry { send this, eA; }
        ignore eA;
    }
}

spec Never observes eA {
    start state Init {
        on eA do { assert false, "this is reached"; }
    }
}
