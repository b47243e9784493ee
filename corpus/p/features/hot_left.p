//@ about: Every ping is answered, so the hot state of the spec is left; the run ends in the cold one.
//@ source: the P manual, liveness
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect divergence: proved !explore
//@ expect live:Answered: proved !explore
event ePing;
event ePong;

spec Answered observes ePing, ePong {
    start cold state Idle {
        on ePing goto Pending;
        ignore ePong;
    }
    hot state Pending {
        on ePong goto Idle;
        ignore ePing;
    }
}

machine Main {
    start state Init {
        entry {
            send this, ePing;
            goto Wait;
        }
    }
    state Wait {
        on ePing do { announce ePong; }
    }
}

test tcAnswered [main=Main]: assert Answered in { Main };
