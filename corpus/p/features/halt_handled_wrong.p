//@ about: A machine that handles halt goes on; here the opposite is asserted.
//@ source: the P manual, expressions
//@ expect assert: violated !explore
event eA;

machine Main {
    var handled: bool;

    start state Init {
        entry {
            send this, halt;
            send this, eA;
        }
        on halt do { handled = true; }
        on eA do { assert !handled, "halt comes first"; }
    }
}
