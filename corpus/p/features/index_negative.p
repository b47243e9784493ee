//@ about: Reading before the beginning of a sequence fails.
//@ source: the P manual, expressions
//@ expect assert: violated !explore
machine Main {
    start state Init {
        entry {
            var s: seq[int];
            var n: int;
            s += (0, 1);
            n = s[0 - 1];
        }
    }
}
