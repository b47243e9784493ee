//@ about: Sequences insert, replace and remove at positions.
//@ source: the P manual, statements
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: none !explore
machine Main {
    start state Init {
        entry {
            var s: seq[int];
            s += (0, 10);
            s += (1, 30);
            s += (1, 20);
            assert s[0] == 10 && s[1] == 20 && s[2] == 30, "inserted in the middle";
            s[1] = 25;
            s -= (0);
            assert s[0] == 25 && s[1] == 30 && sizeof(s) == 2, "moved up";
            assert 25 in s && !(10 in s), "contained";
        }
    }
}
