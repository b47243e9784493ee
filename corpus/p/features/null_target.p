//@ about: Sending to null fails.
//@ source: the P manual, statements
//@ expect assert: violated !explore
machine Main {
    start state Init {
        entry {
            var nobody: machine;
            send nobody, eA;
        }
    }
}

event eA;
