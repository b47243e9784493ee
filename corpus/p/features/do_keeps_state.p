//@ about: A handler without goto runs neither exit nor entry.
//@ source: the P manual, state machines
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: proved !explore
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
        on eB do { assert entered == 1, "entered again"; }
    }
}
