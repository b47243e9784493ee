//@ about: A goto statement hands its value to the entry, also a tuple.
//@ source: the P manual, statements
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: none !explore
machine Main {
    start state Init {
        entry { goto One, 5; }
    }

    state One {
        entry (n: int) {
            assert n == 5, "one value";
            goto Two, (n + 1, true);
        }
    }

    state Two {
        entry (both: (int, bool)) { assert both.0 == 6 && both.1, "two values"; }
    }
}
