//@ about: A cast binds weaker than plus and stronger than a comparison.
//@ source: the grammar of P
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: none !explore
enum tLevel { LOW = 1, HIGH = 4 }

machine Main {
    start state Init {
        entry {
            var a: any;
            var level: tLevel;
            a = 2;
            level = HIGH;
            assert a as int == 2, "(a as int) == 2";
            assert level to int > 3, "(level to int) > 3";
            assert 1.5 + 1.5 to int == 3, "(1.5 + 1.5) to int";
        }
    }
}
