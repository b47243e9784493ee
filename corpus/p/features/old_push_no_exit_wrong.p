//@ about: A push does not run the exit of the state below, and a pop does not run its entry again; here the opposite is asserted.
//@ source: P as of 2018
//@ expect assert: violated !explore
event eGo;
event eBack;
event eEnd;

machine Main {
    var entered: int;
    var left: int;

    start state Below {
        entry {
            entered = entered + 1;
            send this, eGo;
            send this, eBack;
            send this, eEnd;
        }
        exit { left = left + 1; }
        on eGo push Above;
        on eEnd do { assert entered != 1 && left == 0, "entered or left again"; }
    }

    state Above {
        on eBack do { pop; }
    }
}
