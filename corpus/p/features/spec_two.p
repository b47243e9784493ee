//@ about: Several specs watch the same events, each with its own state.
//@ source: the P manual, monitors
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: none !explore
event eA;

machine Main {
    start state Init {
        entry {
            announce eA;
            announce eA;
        }
    }
}

spec Two observes eA {
    var n: int;

    start state Init {
        on eA do {
            n = n + 1;
            assert n <= 2, "more than two";
        }
    }
}

spec Alternate observes eA {
    start state Even {
        on eA goto Odd;
    }

    state Odd {
        entry { assert true, "fine"; }
        on eA goto Even;
    }
}

test tcTwo [main=Main]: assert Two, Alternate in { Main };
