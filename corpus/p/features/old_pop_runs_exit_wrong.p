//@ about: A pop runs the exit of the state on top; here the opposite is asserted.
//@ source: P as of 2018
//@ expect assert: violated !explore
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
        on eEnd do { assert !left, "the exit did not run"; }
    }

    state Above {
        entry { pop; }
        exit { left = true; }
    }
}
