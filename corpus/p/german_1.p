//@ about: German's cache coherence protocol with one client: a processor that asks without end, caches, and a server that hands a line out shared or exclusively.
//@ source: Liu, Wahl and Lal (CAV 2019), Table 1, German-1; protocol after Pnueli, Ruah and Zuck (TACAS 2001)
//@ expect assert: proved !converge
//@ expect unhandled: proved !converge
//@ expect deadlock: proved !converge
//@ expect divergence: proved !converge
//@ expect bounded: violated
//@ note: the server grants nothing before every holder that has to go has acknowledged, and takes one request at a time, so no cache holds the line beside an exclusive one; a cache asks once and then defers further wishes, so requests never pile up
//@ note: the processor floods the caches with wishes, which wait in their queues; german_1_capped.p is the same with one wish of a kind at a time, as in the paper's invariant
event eAskShare;
event eAskExcl;
event eReqShare: machine;
event eReqExcl: machine;
event eInvalidate;
event eInvalidateAck: machine;
event eGrantShare: machine;
event eGrantExcl: machine;

machine Cpu {
    var clients: seq[machine];

    start state Init {
        entry {
            var server: machine;
            server = new Server();
            clients += (0, new Client(server));
            goto Asking;
        }
    }

    state Asking {
        entry {
            var client: machine;
            client = choose(clients);
            if ($)
                send client, eAskShare;
            else
                send client, eAskExcl;
            goto Asking;
        }
    }
}

machine Server {
    var holders: set[machine];
    var exclusive: bool;
    var requester: machine;
    var wantsExclusive: bool;

    start state Idle {
        on eReqShare goto Deciding with (client: machine) {
            requester = client;
            wantsExclusive = false;
        }
        on eReqExcl goto Deciding with (client: machine) {
            requester = client;
            wantsExclusive = true;
        }
    }

    state Deciding {
        entry {
            if (sizeof(holders) > 0 && (exclusive || wantsExclusive))
                goto Invalidating;
            goto Granting;
        }
    }

    // A requester that still shares the line is invalidated like all others.
    state Invalidating {
        entry {
            var holder: machine;
            foreach (holder in holders) {
                send holder, eInvalidate;
            }
        }
        defer eReqShare, eReqExcl;
        on eInvalidateAck do (client: machine) {
            assert client in holders, "an acknowledgement from a client without the line";
            holders -= (client);
            if (sizeof(holders) == 0)
                goto Granting;
        }
    }

    state Granting {
        entry {
            var client: machine;
            client = requester;
            requester = default(machine);
            assert !(client in holders), "a grant to a client that has the line";
            holders += (client);
            exclusive = wantsExclusive;
            if (exclusive)
                send client, eGrantExcl, client;
            else
                send client, eGrantShare, client;
            goto Idle;
        }
    }
}

machine Client {
    var server: machine;

    start state Init {
        entry (home: machine) {
            server = home;
            goto Invalid;
        }
    }

    state Invalid {
        on eAskShare goto AskedShare;
        on eAskExcl goto AskedExcl with { send server, eReqExcl, this; }
    }

    state AskedShare {
        entry {
            send server, eReqShare, this;
        }
        defer eAskShare, eAskExcl;
        on eGrantShare goto Shared;
    }

    state AskedExcl {
        defer eAskShare, eAskExcl;
        on eGrantExcl goto Exclusive;
    }

    state Shared {
        ignore eAskShare;
        on eAskExcl goto SharedAskedExcl;
        on eInvalidate goto Invalid with { send server, eInvalidateAck, this; }
    }

    // The grant cannot come here: the server still counts this client as a holder.
    state SharedAskedExcl {
        entry {
            send server, eReqExcl, this;
        }
        defer eAskShare, eAskExcl;
        on eInvalidate goto AskedExcl with { send server, eInvalidateAck, this; }
    }

    state Exclusive {
        ignore eAskShare, eAskExcl;
        on eInvalidate goto Invalid with { send server, eInvalidateAck, this; }
    }
}

// Who holds the line, from the grant until the acknowledgement.
spec Coherent observes eGrantShare, eGrantExcl, eInvalidateAck {
    var holders: set[machine];
    var exclusive: bool;

    start state Watching {
        on eGrantShare do (client: machine) {
            assert !exclusive || sizeof(holders) == 0, "shared beside an exclusive holder";
            exclusive = false;
            holders += (client);
        }
        on eGrantExcl do (client: machine) {
            assert sizeof(holders) == 0, "exclusive beside another holder";
            exclusive = true;
            holders += (client);
        }
        on eInvalidateAck do (client: machine) {
            holders -= (client);
        }
    }
}

test tcGerman1 [main=Cpu]: assert Coherent in { Cpu, Server, Client };
