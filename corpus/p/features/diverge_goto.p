//@ about: A machine goes from state to state for ever.
//@ source: written for the corpus
//@ expect divergence: violated !explore
machine Main {
    var flag: bool;

    start state There {
        entry {
            flag = !flag;
            goto Back;
        }
    }

    state Back {
        entry { goto There; }
    }
}
