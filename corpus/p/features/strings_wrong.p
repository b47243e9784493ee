//@ about: Texts are compared, put together and formatted; here the opposite is asserted.
//@ source: the P manual, expressions
//@ expect assert: violated !explore
machine Main {
    start state Init {
        entry {
            var s: string;
            s = "a" + "b";
            assert s == "ab" && s != "ba", "put together";
            assert format("{0}-{1}-{0}", 1, "x") == "1-1-x", "formatted";
            print format("s is {0}", s);
        }
    }
}
