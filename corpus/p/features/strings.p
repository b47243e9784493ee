//@ about: Texts are compared, put together and formatted.
//@ source: the P manual, expressions
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: none !explore
machine Main {
    start state Init {
        entry {
            var s: string;
            s = "a" + "b";
            assert s == "ab" && s != "ba", "put together";
            assert format("{0}-{1}-{0}", 1, "x") == "1-x-1", "formatted";
            print format("s is {0}", s);
        }
    }
}
