//@ about: A send that has to wait for room goes on when there is some.
//@ source: P as of 2018
//@ expect assert: violated !explore
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
        ignore eA;
        on eB do { assert false, "this is reached"; }
    }
}
