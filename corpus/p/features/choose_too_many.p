//@ about: Choosing from more than 10,000 numbers fails.
//@ source: the P manual, expressions
//@ expect assert: violated !explore
machine Main {
    start state Init {
        entry {
            var n: int;
            var most: int;
            most = 10001;
            n = choose(most);
        }
    }
}
