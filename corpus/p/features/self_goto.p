//@ about: A transition from a state to itself runs its exit and its entry.
//@ source: the P manual, state machines
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: proved !explore
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
                assert left == 1, "the state was not left";
        }
        exit { left = left + 1; }
        on eAgain goto Init;
    }
}
