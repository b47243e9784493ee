//@ about: An ignored event is gone for good.
//@ source: the P manual, state machines
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: proved !explore
event eA;
event eGo;

machine Main {
    start state Init {
        entry {
            send this, eA;
            send this, eGo;
        }
        ignore eA;
        on eGo goto Next;
    }

    state Next {
        on eA do { assert false, "it was kept"; }
    }
}
