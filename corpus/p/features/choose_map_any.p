//@ about: Every key of a map can be chosen: here the last one.
//@ source: the P manual, expressions
//@ expect assert: violated !explore
machine Main {
    start state Init {
        entry {
            var c: map[int, bool];
            c[10] = true;
            c[20] = true;
            assert choose(c) != 20, "this is reached";
        }
    }
}
