//@ about: A loop that never ends and does nothing.
//@ source: written for the corpus
//@ expect divergence: violated !explore
machine Main {
    start state Init {
        entry {
            while (true) { }
        }
    }
}
