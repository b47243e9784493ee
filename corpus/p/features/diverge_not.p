//@ about: A loop that sends in every round is no divergence, although it never ends.
//@ source: written for the corpus
//@ expect unhandled: proved !converge
//@ expect deadlock: proved !converge
//@ expect divergence: proved !converge
//@ expect bounded: violated
//@ expect queue Main: unbounded
event eA;

machine Main {
    start state Init {
        entry {
            while (true) {
                send this, eA;
            }
        }
    }
}
