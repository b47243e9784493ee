//@ about: German's cache coherence protocol with two clients, where a cache has at most one wish of a kind in its queue.
//@ source: Liu, Wahl and Lal (CAV 2019), Table 1, German-2; the caps state the invariant that the paper adds by hand
//@ expect assert: proved
//@ expect unhandled: proved
//@ expect deadlock: proved
//@ expect divergence: proved
//@ expect bounded: proved
//@ note: as german_2.p; a cache has one open request, and a client is sent one grant or invalidation at a time, so only the wishes could pile up, and they are capped
//@ limit bound=5 states=60000
event eAskShare assume 1;
event eAskExcl assume 1;
event eReqShare: machine;
event eReqExcl: machine;
event eInvalidate;
event eInvalidateAck: machine;
event eGrantShare: machine;
event eGrantExcl: machine;

machine Main {
    var clients: seq[machine];

    start state Init {
        entry {
            var server: machine;
            server = new Server();
            clients += (0, new Client(server));
            clients += (1, new Client(server));
            goto Asking;
        }
    }

    state Asking {
        entry {
            var client: machine;
            if ($)
                client = clients[0];
            else
                client = clients[1];
            if ($)
                send client, eAskShare;
            else
                send client, eAskExcl;
            goto Asking;
        }
    }
}

machine Server {
    var holders: map[machine, bool];
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
            var all: seq[machine];
            var i: int;
            all = keys(holders);
            i = 0;
            while (i < sizeof(all)) {
                send all[i], eInvalidate;
                i = i + 1;
            }
        }
        defer eReqShare, eReqExcl;
        on eInvalidateAck do (client: machine) {
            assert client in holders, "an acknowledgement from a client without the line";
            holders -= client;
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
            holders[client] = true;
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
    var holders: map[machine, bool];
    var exclusive: bool;

    start state Watching {
        on eGrantShare do (client: machine) {
            assert !exclusive || sizeof(holders) == 0, "shared beside an exclusive holder";
            exclusive = false;
            holders[client] = true;
        }
        on eGrantExcl do (client: machine) {
            assert sizeof(holders) == 0, "exclusive beside another holder";
            exclusive = true;
            holders[client] = true;
        }
        on eInvalidateAck do (client: machine) {
            holders -= client;
        }
    }
}
