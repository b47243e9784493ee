//@ about: Elements of an enumeration have numbers, given or counted from zero.
//@ source: the P manual, data types
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: none !explore
enum tPlain { NORTH, EAST, SOUTH }
enum tGiven { BAD = 500, GOOD = 200 }

machine Main {
    start state Init {
        entry {
            var p: tPlain;
            var g: tGiven;
            assert (NORTH to int) == 0 && (SOUTH to int) == 2, "counted";
            assert (BAD to int) == 500 && (GOOD to int) == 200, "given";
            assert p == NORTH && g == GOOD, "the lowest is the default";
            p = EAST;
            assert p == EAST && p != SOUTH, "compared";
        }
    }
}
