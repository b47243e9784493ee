//@ about: A value keeps its own type under any, and a cast gives it back.
//@ source: the P manual, expressions
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: none !explore
machine Main {
    start state Init {
        entry {
            var a: any;
            var list: seq[any];
            var numbers: seq[int];
            var sub: Sub;
            var who: machine;
            a = 5;
            assert (a as int) == 5, "a number";
            a = (1, true);
            assert (a as (int, bool)).1, "a tuple";
            list += (0, 1);
            list += (1, 2);
            numbers = list as seq[int];
            assert numbers[1] == 2, "a sequence";
            who = new Sub();
            sub = who as Sub;
            assert sub == who, "a machine";
        }
    }
}

machine Sub {
    start state Init { }
}
