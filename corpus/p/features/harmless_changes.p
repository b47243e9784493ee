//@ about: Assigning to a key twice, adding an element twice and removing what is not there change nothing else.
//@ source: P's runtime
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: none !explore
machine Main {
    start state Init {
        entry {
            var m: map[int, int];
            var s: set[int];
            m[1] = 1;
            m[1] = 2;
            m -= (5);
            assert sizeof(m) == 1 && m[1] == 2, "a map";
            s += (1);
            s += (1);
            s -= (5);
            assert sizeof(s) == 1 && 1 in s, "a set";
        }
    }
}
