//@ about: Inserting a key that a map already has fails.
//@ source: P's runtime
//@ expect assert: violated !explore
machine Main {
    start state Init {
        entry {
            var m: map[int, int];
            m += (1, 1);
            m += (1, 2);
        }
    }
}
