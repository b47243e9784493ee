//@ about: A goto in a pushed state replaces it and leaves the state below where it is.
//@ source: P as of 2018
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: proved !explore
event eGo;
event eNext;
event eEnd;

machine Main {
    var below: bool;

    start state Below {
        entry {
            send this, eGo;
            send this, eNext;
            send this, eEnd;
        }
        exit { below = true; }
        on eGo push Above;
        on eEnd do { assert !below, "the state below was left"; }
    }

    state Above {
        on eNext goto Beside;
    }

    state Beside {
        on eEnd do {
            assert !below, "the state below was left";
            pop;
        }
    }
}
