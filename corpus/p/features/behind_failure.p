//@ about: Behind an assertion that fails stands a send that nobody handles; what runs would do there is not proved.
//@ source: the P manual, assert
//@ expect assert: violated !explore
//@ expect unhandled: proved_up_to_failure !explore
//@ expect deadlock: proved_up_to_failure !explore
//@ expect divergence: proved_up_to_failure !explore
event eBad;
machine Main {
    start state Init {
        entry {
            assert false;
            send this, eBad;
        }
    }
}
