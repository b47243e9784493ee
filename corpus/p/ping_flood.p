//@ about: A sender primes a receiver three times, says that it is done and floods it with pings; the receiver leaves the primes in its queue until it has heard that.
//@ source: Liu, Wahl and Lal (CAV 2019), Section 2, Figure 1 (PiFl), and Table 1, PingFlood
//@ expect assert: proved !converge
//@ expect unhandled: proved !converge
//@ expect deadlock: proved !converge
//@ expect divergence: proved !converge
//@ expect bounded: violated
//@ note: there is one eDone, so it cannot come again in Ignoring, and no ePing before it; the first occurrences alone do not show that no ePrime follows eDone
//@ note: written from the figure's caption and the text; the number of primes is that of the text's example
event ePrime;
event eDone;
event ePing;

machine Sender {
    var receiver: machine;

    start state Init {
        entry {
            var i: int;
            receiver = new Receiver();
            while (i < 3) {
                send receiver, ePrime;
                i = i + 1;
            }
            send receiver, eDone;
            goto Flooding;
        }
    }

    state Flooding {
        entry {
            send receiver, ePing;
            goto Flooding;
        }
    }
}

machine Receiver {
    var primes: int;

    start state Init {
        defer ePrime;
        on eDone goto Ignoring;
    }

    state Ignoring {
        ignore ePing;
        on ePrime do {
            primes = primes + 1;
            assert primes <= 3, "too many primes";
        }
    }
}

test tcPingFlood [main=Sender]: { Sender, Receiver };
