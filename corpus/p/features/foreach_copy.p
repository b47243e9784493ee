//@ about: A foreach goes through the collection as it was at the beginning.
//@ source: the P manual, statements
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: none !explore
machine Main {
    start state Init {
        entry {
            var s: seq[int];
            var t: set[int];
            var n: int;
            var total: int;
            s += (0, 1);
            s += (1, 2);
            s += (2, 3);
            foreach (n in s) {
                s += (sizeof(s), n);
            }
            assert sizeof(s) == 6 && s[5] == 3, "a sequence that grows";
            t += (4);
            t += (5);
            foreach (n in t) {
                t -= (n);
                total = total + n;
            }
            assert sizeof(t) == 0 && total == 9, "a set that shrinks";
        }
    }
}
