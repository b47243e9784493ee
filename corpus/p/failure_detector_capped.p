//@ about: The failure detector with at most one ping in a node's queue.
//@ source: Liu, Wahl and Lal (CAV 2019), Table 1, FailureDetector, with caps as in the P programs of that time
//@ expect assert: proved
//@ expect unhandled: proved
//@ expect deadlock: proved
//@ expect divergence: proved
//@ expect bounded: proved
//@ note: as failure_detector.p; a node has at most two pings that it has not answered, and the detector takes all pongs before an answer of the timer before it pings again, so they cannot pile up
//@ limit bound=8 states=60000
event ePing assume 1: machine;
event ePong: machine;
event eRegister: machine;
event eNodeDown: machine;
event eStartTimer;
event eCancelTimer;
event eTimeout;
event eCancelled;
event eCancelFailed;

machine Main {
    var down: map[machine, bool];

    start state Init {
        entry {
            var nodes: seq[machine];
            var detector: machine;
            nodes += (0, new Node());
            nodes += (1, new Node());
            detector = new FailureDetector(nodes);
            send detector, eRegister, this;
            if ($)
                send nodes[0], halt;
            else if ($)
                send nodes[1], halt;
        }
        on eNodeDown do (node: machine) {
            assert !(node in down), "a node is reported twice";
            down[node] = true;
        }
    }
}

machine FailureDetector {
    var alive: map[machine, bool];
    var answered: map[machine, bool];
    var again: bool;
    var client: machine;
    var timer: machine;

    start state Init {
        entry (nodes: seq[machine]) {
            var i: int;
            i = 0;
            while (i < sizeof(nodes)) {
                alive[nodes[i]] = true;
                i = i + 1;
            }
            timer = new Timer(this);
        }
        on eRegister goto Pinging with (who: machine) { client = who; }
    }

    state Pinging {
        entry {
            var nodes: seq[machine];
            var i: int;
            nodes = keys(alive);
            i = 0;
            while (i < sizeof(nodes)) {
                if (!(nodes[i] in answered))
                    send nodes[i], ePing, this;
                i = i + 1;
            }
            send timer, eStartTimer;
        }
        on ePong do (node: machine) {
            if (node in alive)
                answered[node] = true;
            if (sizeof(answered) == sizeof(alive))
                goto Cancelling;
        }
        on eTimeout do {
            if (again)
                goto Reporting;
            again = true;
            goto Pinging;
        }
    }

    state Cancelling {
        entry {
            send timer, eCancelTimer;
        }
        ignore ePong, eTimeout;
        on eCancelled, eCancelFailed goto NextRound;
    }

    state Reporting {
        entry {
            var nodes: seq[machine];
            var i: int;
            nodes = keys(alive);
            i = 0;
            while (i < sizeof(nodes)) {
                if (!(nodes[i] in answered)) {
                    send client, eNodeDown, nodes[i];
                    alive -= nodes[i];
                }
                i = i + 1;
            }
            goto NextRound;
        }
    }

    state NextRound {
        entry {
            answered = default(map[machine, bool]);
            again = false;
            if (sizeof(alive) == 0)
                goto Finished;
            goto Pinging;
        }
    }

    state Finished {
        ignore ePong;
    }
}

machine Node {
    start state Up {
        on ePing do (detector: machine) {
            send detector, ePong, this;
        }
    }
}

// Fires whenever it likes while it runs.
machine Timer {
    var owner: machine;

    start state Init {
        entry (who: machine) {
            owner = who;
            goto Off;
        }
    }

    state Off {
        on eStartTimer goto On;
        on eCancelTimer do { send owner, eCancelFailed; }
    }

    state On {
        on null do {
            send owner, eTimeout;
            goto Off;
        }
        on eCancelTimer goto Off with { send owner, eCancelled; }
    }
}
