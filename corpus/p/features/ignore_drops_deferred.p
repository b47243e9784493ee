//@ about: The same with defer: the event comes back.
//@ source: the P manual, state machines
//@ expect assert: violated !explore
event eA;
event eGo;

machine Main {
    start state Init {
        entry {
            send this, eA;
            send this, eGo;
        }
        defer eA;
        on eGo goto Next;
    }

    state Next {
        on eA do { assert false, "it was kept"; }
    }
}
