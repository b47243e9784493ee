//@ about: Values are equal when all their parts are, whatever the order in which sets and maps were filled.
//@ source: the P manual, expressions
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: none !explore
machine Main {
    start state Init {
        entry {
            var a: seq[int];
            var b: seq[int];
            var s: set[int];
            var t: set[int];
            var m: map[int, bool];
            var n: map[int, bool];
            a += (0, 1);
            a += (1, 2);
            b += (0, 2);
            b += (1, 1);
            assert a != b, "sequences have an order";
            b -= (0);
            b += (1, 2);
            assert a == b, "the same sequences";
            s += (1);
            s += (2);
            t += (2);
            t += (1);
            assert s == t, "sets have none";
            m[1] = true;
            m[2] = false;
            n[2] = false;
            n[1] = true;
            assert m == n, "maps have none";
            n[1] = false;
            assert m != n, "another value";
            assert (1, true) == (1, true) && (1, true) != (2, true), "tuples";
            assert (x = 1, y = 2) == (x = 1, y = 2), "named tuples";
        }
    }
}
