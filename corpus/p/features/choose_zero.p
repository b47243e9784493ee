//@ about: choose(0) is 0.
//@ source: P's runtime
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: none !explore
machine Main {
    start state Init {
        entry {
            var none: int;
            assert choose(none) == 0, "something else";
        }
    }
}
