//@ about: An event that would be ignored stays in the queue when an earlier one leaves the state; here the opposite is asserted.
//@ source: the P manual, state machines
//@ expect assert: violated !explore
event eA;
event eGo;
event eEnd;

machine Main {
    var seen: bool;

    start state Init {
        entry {
            send this, eGo;
            send this, eA;
            send this, eEnd;
        }
        ignore eA;
        on eGo goto Next;
    }

    state Next {
        on eA do { seen = true; }
        on eEnd do { assert !seen, "it was dropped"; }
    }
}
