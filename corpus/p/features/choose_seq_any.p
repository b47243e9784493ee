//@ about: Every element of a sequence can be chosen: here the last one.
//@ source: the P manual, expressions
//@ expect assert: violated !explore
machine Main {
    start state Init {
        entry {
            var c: seq[int];
            c += (0, 10);
            c += (1, 20);
            assert choose(c) != 20, "this is reached";
        }
    }
}
