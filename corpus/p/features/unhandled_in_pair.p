//@ about: Whether a message is unhandled depends on who is faster.
//@ source: the P manual, state machines
//@ expect unhandled: violated !explore
event eA;
event eB;

machine Main {
    start state Init {
        entry {
            new Sender((target = this, first = true));
            new Sender((target = this, first = false));
        }
        on eA goto Next;
    }

    state Next {
        ignore eA, eB;
    }
}

machine Sender {
    start state Init {
        entry (job: (target: machine, first: bool)) {
            if (job.first)
                send job.target, eA;
            else
                send job.target, eB;
        }
    }
}
