//@ about: An observed event that the state of a spec says nothing about is unhandled.
//@ source: the P manual, monitors
//@ expect unhandled: violated !explore
event eA;
event eB;

machine Main {
    start state Init {
        entry {
            send this, eB;
        }
        ignore eA, eB;
    }
}

spec Narrow observes eA, eB {
    start state Init {
        on eA do { assert true, "fine"; }
    }
}

test tcSpec [main=Main]: assert Narrow in { Main };
