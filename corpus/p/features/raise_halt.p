//@ about: A machine that raises halt stops at once.
//@ source: the P manual, expressions
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: proved !explore
event eA;

machine Main {
    start state Init {
        entry {
            send this, eA;
            raise halt;
        }
        on eA do { assert false, "the machine has halted"; }
    }
}
