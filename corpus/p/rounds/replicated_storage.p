//@ about: A client writes a register in P that a primary copies to two replicas, without defer.
//@ source: Bouajjani, Enea, Ji and Qadeer (CAV 2018), benchmark replicated storage ("eventual consistency of a replicated register")
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect divergence: proved !explore
//@ expect sync: proved k=1 !exchange
//@ expect bounded: proved !explore
//@ expect queue Client: bounded by 1 !explore
//@ note: the paper only names it; written from the description, with one-bit values
event eWrite: bool;
event eWritten: bool;
event ePut: bool;
event eAck: bool;

machine Client {
    var primary: machine;
    var wanted: bool;

    start state Init {
        entry {
            primary = new Primary(this);
            goto Writing;
        }
    }

    state Writing {
        entry {
            wanted = $;
            send primary, eWrite, wanted;
        }
        on eWritten do (value: bool) {
            assert value == wanted, "another value was written";
            goto Writing;
        }
    }
}

machine Primary {
    var client: machine;
    var first: machine;
    var second: machine;
    var value: bool;
    var acks: int;

    start state Init {
        entry (who: machine) {
            client = who;
            first = new Replica(this);
            second = new Replica(this);
            goto Waiting;
        }
    }

    state Waiting {
        on eWrite goto Copying with (wanted: bool) {
            value = wanted;
        }
    }

    state Copying {
        entry {
            acks = 0;
            send first, ePut, value;
            send second, ePut, value;
        }
        on eAck do (copied: bool) {
            assert copied == value, "a replica has another value";
            acks = acks + 1;
            if (acks == 2) {
                send client, eWritten, value;
                goto Waiting;
            }
        }
    }
}

machine Replica {
    var primary: machine;
    var value: bool;

    start state Init {
        entry (home: machine) {
            primary = home;
            goto Serving;
        }
    }

    state Serving {
        on ePut do (wanted: bool) {
            value = wanted;
            send primary, eAck, value;
        }
    }
}

test tcReplicatedStorage [main=Client]: { Client, Primary, Replica };
