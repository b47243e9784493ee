//@ about: Runs in which a queue would have more copies of an event than declared are left out.
//@ source: P as of 2018
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: proved !explore
//@ note: the first eA is deferred for ever, so the run ends at the second one
event eA assume 1;
event eB;

machine Main {
    start state Init {
        entry {
            var sub: machine;
            sub = new Sub();
            send sub, eA;
            send sub, eA;
            send sub, eB;
        }
    }
}

machine Sub {
    start state Init {
        defer eA;
        on eB do { assert false, "the second eA never had room"; }
    }
}
