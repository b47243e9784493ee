//@ about: A call on the right of && or || does not happen if the left side decides.
//@ source: the P manual, expressions
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: none !explore
machine Main {
    var calls: int;

    start state Init {
        entry {
            var yes: bool;
            yes = true;
            assert yes || called(), "true";
            assert !(!yes && called()), "false";
            assert calls == 0, "it was called";
            assert yes && called() && calls == 1, "now it was";
        }
    }

    fun called(): bool {
        calls = calls + 1;
        return true;
    }
}
