//@ about: A free choice can be false while another one is true.
//@ source: the P manual, expressions
//@ expect assert: violated !explore
machine Main {
    var a: bool;
    var b: bool;

    start state Init {
        entry {
            a = $;
            b = choose();
            assert a || !b, "one of both";
        }
    }
}
