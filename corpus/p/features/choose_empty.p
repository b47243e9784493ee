//@ about: Choosing from an empty collection fails.
//@ source: the P manual, expressions
//@ expect assert: violated !explore
machine Main {
    start state Init {
        entry {
            var s: seq[int];
            var n: int;
            n = choose(s);
        }
    }
}
