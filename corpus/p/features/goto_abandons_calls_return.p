//@ about: The same with return: what is behind the call runs.
//@ source: the P manual, statements
//@ expect assert: violated !explore
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
        return;
    }
}
