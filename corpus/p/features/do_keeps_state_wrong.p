//@ about: A handler without goto runs neither exit nor entry; here the opposite is asserted.
//@ source: the P manual, state machines
//@ expect assert: violated !explore
event eA;
event eB;

machine Main {
    var entered: int;

    start state Init {
        entry {
            entered = entered + 1;
            send this, eA;
            send this, eB;
        }
        exit { assert false, "the state is never left"; }
        on eA do { }
        on eB do { assert entered != 1, "entered again"; }
    }
}
