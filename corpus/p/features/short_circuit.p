//@ about: The right side of && and || is looked at only if it matters.
//@ source: the P manual, expressions
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: none !explore
machine Main {
    start state Init {
        entry {
            var s: seq[int];
            assert !(sizeof(s) > 0 && s[0] == 1), "and";
            assert sizeof(s) == 0 || s[0] == 1, "or";
        }
    }
}
