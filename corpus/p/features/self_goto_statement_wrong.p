//@ about: A goto statement to the own state runs its entry again.
//@ source: the P manual, statements
//@ expect assert: violated !explore
machine Main {
    var entered: int;

    start state Init {
        entry {
            entered = entered + 1;
            assert entered == 1, "entered again";
            goto Init;
        }
    }
}
