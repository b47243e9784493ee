//@ about: A cast to a type that the value does not have fails.
//@ source: the P manual, expressions
//@ expect assert: violated !explore
machine Main {
    start state Init {
        entry {
            var a: any;
            var n: int;
            a = true;
            n = a as int;
        }
    }
}
