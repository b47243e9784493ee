//@ about: When the exit function has run, an unhandled message is still reported.
//@ source: P's runtime
//@ expect unhandled: violated !explore
event eA;

machine Main {
    var left: bool;

    start state Init {
        entry { send this, eA; }
        exit { left = true; }
    }
}
