//@ about: The remainder of floating-point numbers has the sign of the dividend.
//@ source: P's runtime
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: none !explore
machine Main {
    start state Init {
        entry {
            var minus: float;
            minus = 0.0 - 7.5;
            assert minus % 2.0 == 0.0 - 1.5, "the sign of the dividend";
        }
    }
}
