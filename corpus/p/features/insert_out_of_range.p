//@ about: Inserting behind the end of a sequence with a gap fails.
//@ source: the P manual, statements
//@ expect assert: violated !explore
machine Main {
    start state Init {
        entry {
            var s: seq[int];
            s += (0, 1);
            s += (2, 1);
        }
    }
}
