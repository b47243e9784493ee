//@ about: Three nodes in a ring pass a token; who has it may send one frame around the ring.
//@ source: Liu, Wahl and Lal (CAV 2019), Table 1, TokenRing-fixed; the protocol is the usual one, written for the corpus
//@ expect assert: proved !converge
//@ expect unhandled: proved !converge
//@ expect deadlock: proved !converge
//@ expect divergence: proved !converge
//@ expect bounded: violated
//@ note: there is one token or one frame in the ring at any time, so a node that sends sees its own frame next, and that frame has passed its target
//@ note: the paper's program has six machines; orders to transmit pile up in the nodes' queues
//@ limit bound=3 states=60000
event eSetUp: (next: machine, others: seq[machine]);
event eTransmit;
event eToken;
event eFrame: (source: machine, target: machine, delivered: bool);

machine Main {
    var nodes: seq[machine];

    start state Init {
        entry {
            var others: seq[machine];
            var i: int;
            while (i < 3) {
                nodes += (i, new Node());
                i = i + 1;
            }
            i = 0;
            while (i < 3) {
                others = nodes;
                others -= (i);
                send nodes[i], eSetUp, (next = nodes[(i + 1) % 3], others = others);
                i = i + 1;
            }
            send nodes[0], eToken;
            goto Ordering;
        }
    }

    // Orders come faster than the ring can carry them.
    state Ordering {
        entry {
            send choose(nodes), eTransmit;
            goto Ordering;
        }
    }
}

machine Node {
    var next: machine;
    var others: seq[machine];

    start state Init {
        on eSetUp goto Idle with (ring: (next: machine, others: seq[machine])) {
            next = ring.next;
            others = ring.others;
        }
    }

    state Idle {
        on eTransmit goto Waiting;
        on eToken do { send next, eToken; }
        on eFrame do Forward;
    }

    state Waiting {
        defer eTransmit;
        on eToken goto Sending;
        on eFrame do Forward;
    }

    state Sending {
        entry {
            send next, eFrame, (source = this, target = choose(others), delivered = false);
        }
        defer eTransmit;
        on eFrame do (frame: (source: machine, target: machine, delivered: bool)) {
            assert frame.source == this, "another node sends while this one has the token";
            assert frame.delivered, "the frame went round and was not delivered";
            send next, eToken;
            goto Idle;
        }
    }

    fun Forward(frame: (source: machine, target: machine, delivered: bool)) {
        assert frame.source != this, "an own frame comes back to a node that sends nothing";
        if (frame.target == this)
            frame.delivered = true;
        send next, eFrame, frame;
    }
}

test tcTokenRing [main=Main]: { Main, Node };
