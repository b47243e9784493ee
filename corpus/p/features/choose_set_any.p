//@ about: Every element of a set can be chosen: here the last one.
//@ source: the P manual, expressions
//@ expect assert: violated !explore
machine Main {
    start state Init {
        entry {
            var c: set[int];
            c += (10);
            c += (20);
            assert choose(c) != 20, "this is reached";
        }
    }
}
