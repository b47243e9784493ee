//@ about: Whole numbers divide towards zero, and the remainder has the sign of the dividend.
//@ source: the P manual, expressions
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: none !explore
machine Main {
    start state Init {
        entry {
            var minus: int;
            minus = -7;
            assert 7 / 2 == 3 && minus / 2 == -3, "towards zero";
            assert 7 % 2 == 1 && minus % 2 == -1, "the sign of the dividend";
            assert 2 + 3 * 4 == 14 && (2 + 3) * 4 == 20, "precedence";
            assert 1.5 * 2.0 == 3.0 && (7.9 to int) == 7, "floating-point numbers";
            assert 1 < 2 && 2 <= 2 && !(1 >= 2) && 3 > 2, "comparison";
        }
    }
}
