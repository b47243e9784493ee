//@ about: A machine takes as much as it declares.
//@ source: P as of 2018
//@ expect assert: violated !explore
event eA;
event eB;

machine Main {
    start state Init {
        entry {
            var sub: machine;
            sub = new Sub();
            send sub, eA;
            send sub, eB;
        }
    }
}

machine Sub assume 2 {
    start state Init {
        defer eA;
        on eB do { assert false, "the second has room"; }
    }
}
