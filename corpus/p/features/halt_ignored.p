//@ about: An ignored halt changes nothing: what lies behind it is handled.
//@ source: the P manual, expressions
//@ expect assert: violated !explore
event eA;

machine Main {
    start state Init {
        entry {
            send this, halt;
            send this, eA;
        }
        ignore halt;
        on eA do { assert false, "this is reached"; }
    }
}
