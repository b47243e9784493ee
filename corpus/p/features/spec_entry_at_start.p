//@ about: A spec runs the entry of its first state before anything is sent.
//@ source: the P manual, specification machines
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: proved !explore
event eA;

machine Main {
    start state Init {
        entry { send this, eA; }
        ignore eA;
    }
}

spec Watch observes eA {
    var ready: bool;

    start state Init {
        entry { ready = true; }
        on eA do { assert ready, "the entry did not run"; }
    }
}

test tcWatch [main=Main]: assert Watch in { Main };
