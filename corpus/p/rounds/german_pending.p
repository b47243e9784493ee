//@ about: German's protocol in P without defer: the home remembers who asked meanwhile, and takes lines back one after the other.
//@ source: Pnueli, Ruah and Zuck (TACAS 2001); benchmark German of Bouajjani, Enea, Ji and Qadeer (CAV 2018)
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect divergence: proved !explore
//@ expect sync: proved k=2 !exchange
//@ expect bounded: proved !explore
//@ note: the same protocol as corpus/cfsm/german_pending.cfsm, with variables; a reader decides whether to ask when it becomes one
event eReqShare: machine;
event eReqExcl: machine;
event eInvalidate;
event eAck: machine;
event eGrantShare;
event eGrantExcl;

machine Home {
    var holders: set[machine];
    var exclusive: bool;
    var requester: machine;
    var wantsExclusive: bool;
    var next: machine;
    var nextWantsExclusive: bool;

    start state Init {
        entry {
            new Client(this);
            new Client(this);
            goto Idle;
        }
    }

    state Idle {
        entry {
            if (next != default(machine)) {
                requester = next;
                wantsExclusive = nextWantsExclusive;
                next = default(machine);
                goto Deciding;
            }
        }
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

    state Invalidating {
        entry {
            send holders[0], eInvalidate;
        }
        on eReqShare do (client: machine) {
            Remember(client, false);
        }
        on eReqExcl do (client: machine) {
            Remember(client, true);
        }
        on eAck goto Deciding with (client: machine) {
            assert client in holders, "an acknowledgement from a client without the line";
            holders -= (client);
        }
    }

    fun Remember(client: machine, isExclusive: bool) {
        assert next == default(machine), "a third request of two clients";
        next = client;
        nextWantsExclusive = isExclusive;
    }

    state Granting {
        entry {
            var client: machine;
            client = requester;
            requester = default(machine);
            assert !(client in holders), "a grant to a client that has the line";
            assert sizeof(holders) == 0 || !(exclusive || wantsExclusive), "two holders of an exclusive line";
            holders += (client);
            exclusive = wantsExclusive;
            wantsExclusive = false;
            if (exclusive)
                send client, eGrantExcl;
            else
                send client, eGrantShare;
            goto Idle;
        }
    }
}

machine Client {
    var home: machine;

    start state Init {
        entry (server: machine) {
            home = server;
            goto Invalid;
        }
    }

    state Invalid {
        entry {
            if ($) {
                send home, eReqShare, this;
                goto AskedShare;
            }
            send home, eReqExcl, this;
            goto AskedExcl;
        }
    }

    state AskedShare {
        on eGrantShare goto Shared;
    }

    state AskedExcl {
        on eGrantExcl goto Exclusive;
        on eInvalidate do { send home, eAck, this; }
    }

    state Shared {
        entry {
            if ($) {
                send home, eReqExcl, this;
                goto AskedExcl;
            }
        }
        on eInvalidate goto Invalid with { send home, eAck, this; }
    }

    state Exclusive {
        on eInvalidate goto Invalid with { send home, eAck, this; }
    }
}

test tcGerman [main=Home]: { Home, Client };
