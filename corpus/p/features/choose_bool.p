//@ about: A free choice can be true and false, and choose() is the same.
//@ source: the P manual, expressions
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: none !explore
machine Main {
    var a: bool;
    var b: bool;

    start state Init {
        entry {
            a = $;
            b = choose();
            assert a || !a, "one of both";
        }
    }
}
