//@ about: Dividing by zero fails.
//@ source: the P manual, expressions
//@ expect assert: violated !explore
machine Main {
    start state Init {
        entry {
            var n: int;
            var zero: int;
            n = 1 / zero;
        }
    }
}
