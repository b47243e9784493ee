//@ about: Messages before halt are handled.
//@ source: the P manual, expressions
//@ expect assert: violated !explore
event eA;

machine Main {
    start state Init {
        entry {
            var sub: machine;
            sub = new Sub();
            send sub, eA;
            send sub, halt;
            send sub, eA;
        }
    }
}

machine Sub {
    start state Init {
        on eA do { assert false, "the machine has halted"; }
    }
}
