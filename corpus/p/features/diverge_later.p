//@ about: A machine runs for ever only after two messages.
//@ source: written for the corpus
//@ expect divergence: violated !explore
event eA;

machine Main {
    var n: int;

    start state Init {
        entry {
            send this, eA;
            send this, eA;
        }
        on eA do {
            n = n + 1;
            while (n == 2) { }
        }
    }
}
