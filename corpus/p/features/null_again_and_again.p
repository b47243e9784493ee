//@ about: A null handler that keeps its state runs for ever, and each time sends a message.
//@ source: the P manual, state machines
//@ expect assert: proved !converge
//@ expect unhandled: proved !converge
//@ expect deadlock: proved !converge
//@ expect bounded: violated
//@ expect queue Main: bounded by 0
event eA;

machine Main {
    var other: machine;

    start state Init {
        entry { other = new Sink(); }
        on null do {
            assert other != null, "nobody to send to";
            send other, eA;
        }
    }
}

machine Sink {
    start state Init {
        ignore eA;
    }
}
