//@ about: A message that arrives before the entry of a new machine has run waits for it; here the opposite is asserted.
//@ source: P's runtime
//@ expect assert: violated !explore
event eA;

machine Main {
    start state Init {
        entry {
            var child: machine;
            child = new Child();
            send child, eA;
        }
    }
}

machine Child {
    var ready: bool;

    start state Init {
        entry { ready = true; }
        on eA do { assert !ready, "the entry comes first"; }
    }
}
