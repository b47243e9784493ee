//@ about: A message that arrives before the entry of a new machine has run waits for it.
//@ source: P's runtime
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: proved !explore
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
        on eA do { assert ready, "the entry comes first"; }
    }
}
