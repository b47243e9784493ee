//@ about: A spec finishes its own raises and gotos before the machine goes on.
//@ source: the P manual, monitors
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: none !explore
event eA;
event eB;
event eInner: int;

machine Main {
    start state Init {
        entry {
            announce eA;
            announce eB;
        }
    }
}

spec Steps observes eA, eB, eInner {
    var steps: int;

    start state Init {
        on eA do { raise eInner, 4; }
        on eInner goto Middle;
    }

    state Middle {
        entry (n: int) {
            steps = n;
            goto End;
        }
        exit { steps = steps + 1; }
    }

    state End {
        on eB do { assert steps == 5, "not there yet"; }
    }
}

test tcSpec [main=Main]: assert Steps in { Main };
