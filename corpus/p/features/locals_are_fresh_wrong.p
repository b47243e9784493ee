//@ about: Local variables begin with their default in every call; here the opposite is asserted.
//@ source: the P manual, functions
//@ expect assert: violated !explore
machine Main {
    start state Init {
        entry {
            assert Count() == 1, "the first call";
            assert Count() == 2, "the second call";
        }
    }

    fun Count(): int {
        var n: int;
        n = n + 1;
        return n;
    }
}
