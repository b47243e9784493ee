//@ about: Three nodes in a ring pass a token; who has it may send one frame around the ring. A node takes a frame that ends at it for the token.
//@ source: Liu, Wahl and Lal (CAV 2019), Table 1, TokenRing-buggy; the protocol is the usual one, written for the corpus
//@ expect assert: violated !explore
//@ expect unhandled: violated !explore
//@ expect deadlock: proved
//@ expect divergence: proved
//@ expect bounded: violated
//@ note: unhandled: A sends to B, B waits, passes the frame on and sends its own behind it; A gets its frame back and passes the token to B, which is sending
//@ note: assert: A sends to C, B and C wait, C passes the frame on and sends its own; A gets its frame back and passes the token to B, which sends and then meets the frame of C
//@ note: which mistake the paper's program has is not said
//@ limit bound=2 states=200000
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
        on eFrame do (frame: (source: machine, target: machine, delivered: bool)) {
            Forward(frame);
            // The mistake: the frame still has to go back to its source.
            if (frame.target == this)
                goto Sending;
        }
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

test tcTokenRingBuggy [main=Main]: { Main, Node };
