//@ about: Maps know their keys and values.
//@ source: the P manual, expressions
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: none !explore
machine Main {
    start state Init {
        entry {
            var m: map[int, string];
            m[2] = "two";
            m += (1, "one");
            assert 1 in m && "one" in values(m), "contained";
            assert sizeof(keys(m)) == 2 && 2 in keys(m), "keys";
            m -= (1);
            assert !(1 in m) && sizeof(m) == 1, "removed";
        }
    }
}
