//@ about: A transition runs the exit of the old state, then its own code, then the entry of the new state, both with the payload; here the opposite is asserted.
//@ source: the P manual, state machines
//@ expect assert: violated !explore
event eGo: int;

machine Main {
    var step: int;

    start state Old {
        entry { send this, eGo, 7; }
        exit {
            assert step == 0, "exit comes first";
            step = 1;
        }
        on eGo goto New with (n: int) {
            assert step == 1 && n == 7, "then the code of the transition";
            step = 2;
        }
    }

    state New {
        entry (n: int) {
            assert step != 2, "then the entry";
        }
    }
}
