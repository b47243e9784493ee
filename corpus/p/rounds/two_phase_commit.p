//@ about: Two-phase commit in P without defer: a coordinator asks two participants and counts their votes.
//@ source: Gray, Notes on data base operating systems (1978); benchmark of Bouajjani, Enea, Ji and Qadeer (CAV 2018)
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect divergence: proved !explore
//@ expect sync: proved k=1 !exchange
//@ expect bounded: proved !explore
//@ expect queue Coordinator: bounded by 2 !explore
//@ note: a coordinator sends only when nothing is on its way to it, and participants only answer
event ePrepare;
event eYes;
event eNo;
event eCommit;
event eAbort;
event eAck;

machine Coordinator {
    var first: machine;
    var second: machine;
    var votes: int;
    var refused: bool;

    start state Init {
        entry {
            first = new Participant(this);
            second = new Participant(this);
            goto Asking;
        }
    }

    state Asking {
        entry {
            votes = 0;
            refused = false;
            send first, ePrepare;
            send second, ePrepare;
        }
        on eYes do Count;
        on eNo do {
            refused = true;
            Count();
        }
    }

    fun Count() {
        votes = votes + 1;
        if (votes == 2)
            goto Deciding;
    }

    state Deciding {
        entry {
            var decision: event;
            decision = eCommit;
            if (refused)
                decision = eAbort;
            votes = 0;
            send first, decision;
            send second, decision;
        }
        on eAck do {
            votes = votes + 1;
            assert votes <= 2, "more acknowledgements than participants";
            if (votes == 2)
                goto Asking;
        }
    }
}

machine Participant {
    var coordinator: machine;

    start state Init {
        entry (home: machine) {
            coordinator = home;
            goto Idle;
        }
    }

    state Idle {
        on ePrepare goto Voting;
    }

    state Voting {
        entry {
            if ($) {
                send coordinator, eYes;
                goto Ready;
            }
            send coordinator, eNo;
            goto Refused;
        }
    }

    state Ready {
        on eCommit goto Idle with { send coordinator, eAck; }
        on eAbort goto Idle with { send coordinator, eAck; }
    }

    // A commit here would be unhandled: nobody commits against a vote.
    state Refused {
        on eAbort goto Idle with { send coordinator, eAck; }
    }
}

test tcTwoPhaseCommit [main=Coordinator]: { Coordinator, Participant };
