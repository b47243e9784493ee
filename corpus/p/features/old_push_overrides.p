//@ about: A pushed state can handle what the state below defers, and defer what it handles.
//@ source: P as of 2018
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: proved !explore
event eGo;
event eA;
event eB;
event eEnd;

machine Main {
    var seen: bool;

    start state Below {
        entry {
            send this, eGo;
            send this, eB;
            send this, eA;
            send this, eEnd;
        }
        on eGo push Above;
        defer eA;
        on eB do { assert seen, "handled above, where it is deferred"; }
    }

    state Above {
        defer eB;
        on eA do { seen = true; }
        on eEnd do { pop; }
    }
}
