//@ about: Break leaves a loop, continue goes on with the next round.
//@ source: the P manual, statements
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: none !explore
machine Main {
    start state Init {
        entry {
            var i: int;
            var total: int;
            var s: seq[int];
            while (true) {
                i = i + 1;
                if (i == 3)
                    continue;
                if (i == 6)
                    break;
                total = total + i;
            }
            assert total == 12 && i == 6, "1 + 2 + 4 + 5";
            s += (0, 1);
            s += (1, 2);
            s += (2, 3);
            total = 0;
            foreach (i in s) {
                if (i == 2)
                    break;
                total = total + i;
            }
            assert total == 1, "left in the second round";
        }
    }
}
