//@ about: A goto statement leaves all functions: nothing behind it runs.
//@ source: the P manual, statements
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: none !explore
machine Main {
    start state Init {
        entry {
            var i: int;
            while (i < 2) {
                Outer();
                i = i + 1;
            }
            assert false, "behind the call";
        }
    }

    state Next { }

    fun Outer() {
        Inner();
        assert false, "behind the inner call";
    }

    fun Inner() {
        goto Next;
    }
}
