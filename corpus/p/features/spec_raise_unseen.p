//@ about: Raised events are no concern of specs.
//@ source: the P manual, monitors
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: none !explore
event eA;

machine Main {
    start state Init {
        entry { raise eA; }
        on eA do { }
    }
}

spec Never observes eA {
    start state Init {
        on eA do { assert false, "it watches raises"; }
    }
}

test tcRaise [main=Main]: assert Never in { Main };
