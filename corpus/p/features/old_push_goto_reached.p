//@ about: A goto in a pushed state replaces it: the state beside is reached.
//@ source: P as of 2018
//@ expect assert: violated !explore
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
            assert false, "this is reached";
            pop;
        }
    }
}
