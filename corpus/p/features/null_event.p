//@ about: Sending the event null fails.
//@ source: the P manual, statements
//@ expect assert: violated !explore
machine Main {
    start state Init {
        entry {
            var nothing: event;
            send this, nothing;
        }
    }
}
