//@ about: Whole numbers have 64 bits.
//@ source: P's runtime
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: none !explore
machine Main {
    start state Init {
        entry {
            var n: int;
            n = 2147483647;
            n = n + 1;
            assert n / 2 == 1073741824, "it does not wrap around";
        }
    }
}
