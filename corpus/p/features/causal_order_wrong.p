//@ about: What was sent before a message that causes another send arrives first: queues are filled at once; here the opposite is asserted.
//@ source: P's runtime
//@ expect assert: violated !explore
event eA;
event eB;
event eGo: machine;

machine Main {
    var seen: bool;

    start state Init {
        entry {
            var other: machine;
            other = new Other();
            send this, eA;
            send other, eGo, this;
        }
        on eA do { seen = true; }
        on eB do { assert !seen, "overtaken"; }
    }
}

machine Other {
    start state Init {
        on eGo do (who: machine) { send who, eB; }
    }
}
