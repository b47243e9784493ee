//@ about: The run ends while a spec waits in a hot state for an answer that nobody sends.
//@ source: the P manual, liveness
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect divergence: proved !explore
//@ expect live:Answered: violated !explore
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
        ignore ePing;
    }
}

test tcSilent [main=Main]: assert Answered in { Main };
