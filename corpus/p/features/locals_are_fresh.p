//@ about: Local variables begin with their default in every call.
//@ source: the P manual, functions
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: none !explore
machine Main {
    start state Init {
        entry {
            assert Count() == 1, "the first call";
            assert Count() == 1, "the second call";
        }
    }

    fun Count(): int {
        var n: int;
        n = n + 1;
        return n;
    }
}
