//@ about: A client pings a server and waits for its pong, for ever; both messages are declared to come one at a time.
//@ source: Liu, Wahl and Lal (CAV 2019), Table 1, PingPong; the usual exchange, written for the corpus
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect divergence: proved !explore
//@ expect bounded: proved !explore
//@ expect queue Main: bounded by 1 !explore
//@ note: one message is on its way at any time, so the caps leave out nothing
event ePing assume 1: machine;
event ePong assume 1;
event eSent;

machine Main {
    var server: machine;
    var open: bool;

    start state Init {
        entry {
            server = new Server();
            goto Pinging;
        }
    }

    state Pinging {
        entry {
            assert !open, "a second ping before the pong";
            open = true;
            send server, ePing, this;
            raise eSent;
        }
        on eSent goto Waiting;
    }

    state Waiting {
        on ePong goto Pinging with {
            open = false;
        }
    }
}

machine Server {
    start state Waiting {
        on ePing goto Ponging;
    }

    state Ponging {
        entry (client: machine) {
            send client, ePong;
            raise eSent;
        }
        on eSent goto Waiting;
    }
}
