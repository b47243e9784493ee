//@ about: Three motes of a sensor network wake up slot by slot: in each slot one may talk to another, and the clock begins the next slot when all radios are off.
//@ source: Liu, Wahl and Lal (CAV 2019), Table 1, openWSN; the paper only names it: after the time-slotted channel hopping of IEEE 802.15.4e
//@ expect assert: proved
//@ expect unhandled: proved
//@ expect deadlock: proved
//@ expect divergence: proved
//@ expect bounded: violated
//@ note: the talker ends the slot behind its frame, and a listener is ready only when it has answered the frame, so neither a frame nor an acknowledgement reaches into the next slot
//@ note: the slot number grows for ever, but nothing depends on it; the packets of the application pile up in the queues of the two outer motes
//@ limit bound=2 states=60000
type tSlot = (talker: machine, listener: machine);

event eStart: seq[tSlot];
event eSlot: tSlot;
event eSlotOver;
event eTalkerDone;
event eRadioOff;
event eData: machine;
event eAck;
event ePacket;

// The application: packets whenever it likes.
machine Main {
    var outer: seq[machine];

    start state Init {
        entry {
            var clock: machine;
            var root: machine;
            var links: seq[tSlot];
            clock = new Clock();
            root = new Mote(clock);
            outer += (0, new Mote(clock));
            outer += (1, new Mote(clock));
            links += (0, (talker = outer[0], listener = root));
            links += (1, (talker = outer[1], listener = outer[0]));
            send clock, eStart, links;
            goto Producing;
        }
    }

    state Producing {
        entry {
            send choose(outer), ePacket;
            goto Producing;
        }
    }
}

machine Clock {
    var links: seq[tSlot];
    var motes: set[machine];
    var waiting: int;
    var slotNumber: int;

    start state Init {
        on eStart goto Slot with (schedule: seq[tSlot]) {
            var link: tSlot;
            links = schedule;
            foreach (link in links) {
                motes += (link.talker);
                motes += (link.listener);
            }
        }
    }

    state Slot {
        entry {
            var link: tSlot;
            var mote: machine;
            slotNumber = slotNumber + 1;
            link = choose(links);
            foreach (mote in motes) {
                send mote, eSlot, link;
            }
        }
        on eTalkerDone goto Ending;
    }

    state Ending {
        entry {
            var mote: machine;
            waiting = sizeof(motes);
            foreach (mote in motes) {
                send mote, eSlotOver;
            }
        }
        on eRadioOff do {
            waiting = waiting - 1;
            assert waiting >= 0, "more radios than motes";
            if (waiting == 0)
                goto Slot;
        }
    }
}

machine Mote {
    var clock: machine;
    var pending: bool;
    var heard: bool;
    var partner: machine;

    start state Init {
        entry (owner: machine) {
            clock = owner;
            goto RadioOff;
        }
    }

    // The talker of a slot may be faster than the clock; a late acknowledgement has no use.
    state RadioOff {
        defer eData;
        ignore eAck;
        on ePacket do { pending = true; }
        on eSlot do (slot: tSlot) {
            if (slot.talker == this) {
                partner = slot.listener;
                goto Talking;
            }
            if (slot.listener == this)
                goto Listening;
            goto Sleeping;
        }
    }

    state Talking {
        entry {
            if (!pending) {
                send clock, eTalkerDone;
                goto Sleeping;
            }
            send partner, eData, this;
        }
        defer ePacket;
        on eAck do {
            pending = false;
            send clock, eTalkerDone;
            goto Sleeping;
        }
        // No answer in time: once more in a later slot.
        on null do {
            send clock, eTalkerDone;
            goto Sleeping;
        }
    }

    state Listening {
        entry {
            heard = false;
        }
        defer ePacket;
        on eData do (sender: machine) {
            assert !heard, "two frames in a slot";
            heard = true;
            if ($)
                send sender, eAck;
        }
        on eSlotOver do TurnOff;
    }

    state Sleeping {
        entry {
            heard = false;
            partner = default(machine);
        }
        defer ePacket;
        ignore eAck;
        on eSlotOver do TurnOff;
    }

    fun TurnOff() {
        heard = false;
        send clock, eRadioOff;
        goto RadioOff;
    }
}

test tcOpenWsn [main=Main]: { Main, Clock, Mote };
