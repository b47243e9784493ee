//@ about: A machine declares how much its queue may hold in all.
//@ source: P as of 2018
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect bounded: proved !explore
event eA;
event eB;
event eC;

machine Main {
    start state Init {
        entry {
            var sub: machine;
            sub = new Sub();
            send sub, eA;
            send sub, eB;
            send sub, eC;
        }
    }
}

machine Sub assume 2 {
    start state Init {
        defer eA, eB;
        on eC do { assert false, "the third never had room"; }
    }
}
