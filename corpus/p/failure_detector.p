//@ about: A failure detector pings two nodes round by round, twice if a timer fires, and tells its client which nodes do not answer.
//@ source: Liu, Wahl and Lal (CAV 2019), Table 1, FailureDetector; the usual protocol with a timer that can be cancelled, written for the corpus
//@ expect assert: proved
//@ expect unhandled: proved
//@ expect deadlock: proved
//@ expect divergence: proved
//@ expect bounded: violated
//@ note: a node is reported when it leaves the set of live nodes, so at most once; the timer answers a cancellation behind its timeout, so no timeout is left when the next round begins
//@ note: a round can ping a node twice and end with its first answer, so pings of slow nodes and answers of fast ones pile up; failure_detector_capped.p forbids that
//@ limit bound=2 states=60000
event ePing: machine;
event ePong: machine;
event eRegister: machine;
event eNodeDown: machine;
event eStartTimer;
event eCancelTimer;
event eTimeout;
event eCancelled;
event eCancelFailed;

machine Driver {
    var down: set[machine];

    start state Init {
        entry {
            var nodes: set[machine];
            var detector: machine;
            nodes += (new Node());
            nodes += (new Node());
            detector = new FailureDetector(nodes);
            send detector, eRegister, this;
            if ($)
                send choose(nodes), halt;
        }
        on eNodeDown do (node: machine) {
            assert !(node in down), "a node is reported twice";
            down += (node);
        }
    }
}

machine FailureDetector {
    var alive: set[machine];
    var answered: set[machine];
    var again: bool;
    var client: machine;
    var timer: machine;

    start state Init {
        entry (nodes: set[machine]) {
            alive = nodes;
            timer = new Timer(this);
        }
        on eRegister goto Pinging with (who: machine) { client = who; }
    }

    state Pinging {
        entry {
            var node: machine;
            foreach (node in alive) {
                if (!(node in answered))
                    send node, ePing, this;
            }
            send timer, eStartTimer;
        }
        on ePong do (node: machine) {
            if (node in alive)
                answered += (node);
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
            var node: machine;
            foreach (node in alive) {
                if (!(node in answered)) {
                    send client, eNodeDown, node;
                    alive -= (node);
                }
            }
            goto NextRound;
        }
    }

    state NextRound {
        entry {
            answered = default(set[machine]);
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

test tcFailureDetector [main=Driver]: { Driver, FailureDetector, Node, Timer };
