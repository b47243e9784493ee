//@ about: Assigning to an entry that a sequence does not have fails.
//@ source: the P manual, statements
//@ expect assert: violated !explore
machine Main {
    start state Init {
        entry {
            var s: seq[int];
            s += (0, 1);
            s[1] = 2;
        }
    }
}
