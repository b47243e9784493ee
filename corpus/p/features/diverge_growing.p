//@ about: A loop that never ends and counts.
//@ source: written for the corpus
//@ expect divergence: violated
//@ note: it repeats itself, but only after a million rounds
machine Main {
    var n: int;

    start state Init {
        entry {
            while (n >= 0) {
                n = n + 1;
                if (n > 1000000)
                    n = 0;
            }
        }
    }
}
