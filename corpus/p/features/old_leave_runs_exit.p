//@ about: A pushed state that is left because the state below has a transition runs its exit.
//@ source: P as of 2018
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: proved !explore
event eGo;
event eEnd;

machine Main {
    var left: bool;

    start state Below {
        entry {
            send this, eGo;
            send this, eEnd;
        }
        on eGo push Above;
        on eEnd goto End;
    }

    state Above {
        exit { left = true; }
    }

    state End {
        entry { assert left, "the exit did not run"; }
    }
}
