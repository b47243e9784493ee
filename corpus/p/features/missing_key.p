//@ about: Reading a key that a map does not have fails.
//@ source: the P manual, expressions
//@ expect assert: violated !explore
machine Main {
    start state Init {
        entry {
            var m: map[int, int];
            var n: int;
            m[1] = 1;
            n = m[2];
        }
    }
}
