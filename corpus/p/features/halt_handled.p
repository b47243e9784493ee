//@ about: A machine that handles halt goes on.
//@ source: the P manual, expressions
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: proved !explore
event eA;

machine Main {
    var handled: bool;

    start state Init {
        entry {
            send this, halt;
            send this, eA;
        }
        on halt do { handled = true; }
        on eA do { assert handled, "halt comes first"; }
    }
}
