//@ about: A machine that halts drops what is left in its queue, and whatever is sent to it later.
//@ source: the P manual, expressions
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: proved !explore
event eA;

machine Main {
    start state Init {
        entry {
            var sub: machine;
            sub = new Sub();
            send sub, halt;
            send sub, eA;
            send sub, eA;
        }
    }
}

machine Sub {
    start state Init {
        on eA do { assert false, "the machine has halted"; }
    }
}
