//@ about: A transition from a state to itself runs its exit and its entry; here the opposite is asserted.
//@ source: the P manual, state machines
//@ expect assert: violated !explore
event eAgain;

machine Main {
    var entered: int;
    var left: int;

    start state Init {
        entry {
            entered = entered + 1;
            if (entered == 1)
                send this, eAgain;
            else
                assert left == 0, "the state was not left";
        }
        exit { left = left + 1; }
        on eAgain goto Init;
    }
}
