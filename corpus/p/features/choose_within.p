//@ about: A choice is one of those that are there.
//@ source: the P manual, expressions
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: none !explore
machine Main {
    start state Init {
        entry {
            var s: seq[int];
            var t: set[int];
            var m: map[int, bool];
            var n: int;
            n = choose(3);
            assert n >= 0 && n < 3, "a number";
            s += (0, 10);
            s += (1, 20);
            assert choose(s) in s, "an entry of a sequence";
            t += (10);
            t += (20);
            assert choose(t) in t, "an element of a set";
            m[10] = true;
            m[20] = false;
            assert choose(m) in m, "a key of a map";
        }
    }
}
