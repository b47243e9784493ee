//@ about: The driver for a board with a switch and a light, with at most one message of the system and the switch of a kind in its queue.
//@ source: Liu, Wahl and Lal (CAV 2019), Table 1, OSR; after the driver sketched in Desai et al., P (PLDI 2013)
//@ expect assert: proved
//@ expect unhandled: proved
//@ expect deadlock: proved
//@ expect divergence: proved
//@ expect bounded: proved
//@ note: while a transfer runs, the driver defers power-down and switch changes; it leaves that state only when the timer is off and the light has answered or was reset
//@ note: the light answers a reset behind its last answer, and the timer answers a stop behind its last firing, so neither surprises the driver later
//@ note: only the system and the switch send without being asked; everything else answers one request at a time
//@ limit bound=6 states=60000
event eD0Entry assume 1;
event eD0Exit assume 1;
event eSwitchChanged assume 1: bool;
event eSetLight: bool;
event eResetLight;
event eTransferDone;
event eTransferFailed;
event eResetDone;
event eStartTimer;
event eStopTimer;
event eTimerFired;
event eTimerStopped;
event eTimerTooLate;
event eUnit;
event eYes;
event eNo;
event eTimerOff;

machine Main {
    var driver: machine;

    start state Init {
        entry {
            driver = new Driver();
            goto Powering;
        }
    }

    // The system powers the device up and down without waiting.
    state Powering {
        entry {
            if ($)
                send driver, eD0Entry;
            else
                send driver, eD0Exit;
            goto Powering;
        }
    }
}

machine Switch {
    var driver: machine;

    start state Init {
        entry (owner: machine) {
            driver = owner;
            goto Flipping;
        }
    }

    state Flipping {
        entry {
            send driver, eSwitchChanged, $;
            goto Flipping;
        }
    }
}

machine Light {
    var driver: machine;

    start state Init {
        entry (owner: machine) {
            driver = owner;
        }
        on eSetLight do (bright: bool) {
            if ($)
                send driver, eTransferDone;
            else
                send driver, eTransferFailed;
        }
        on eResetLight do { send driver, eResetDone; }
    }
}

machine Timer {
    var driver: machine;

    start state Init {
        entry (owner: machine) {
            driver = owner;
            goto Off;
        }
    }

    state Off {
        on eStartTimer goto On;
        on eStopTimer do { send driver, eTimerTooLate; }
    }

    state On {
        on null do {
            send driver, eTimerFired;
            goto Off;
        }
        on eStopTimer goto Off with { send driver, eTimerStopped; }
    }
}

machine Driver {
    var light: machine;
    var timer: machine;
    var position: bool;
    var busy: bool;

    start state Init {
        entry {
            timer = new Timer(this);
            light = new Light(this);
            new Switch(this);
            raise eUnit;
        }
        on eUnit goto Asleep;
    }

    state Asleep {
        defer eSwitchChanged;
        ignore eD0Exit;
        on eD0Entry goto Awake;
    }

    state Awake {
        ignore eD0Entry;
        on eD0Exit goto PoweringDown;
        on eSwitchChanged goto Storing;
    }

    state PoweringDown {
        entry {
            assert !busy, "asleep during a transfer";
            raise eUnit;
        }
        on eUnit goto Asleep;
    }

    state Storing {
        entry (now: bool) {
            if (now == position)
                raise eNo;
            position = now;
            raise eYes;
        }
        on eYes goto Updating;
        on eNo goto Awake;
    }

    state Updating {
        entry {
            assert !busy, "two transfers at a time";
            busy = true;
            send light, eSetLight, position;
            send timer, eStartTimer;
        }
        defer eD0Exit, eSwitchChanged;
        ignore eD0Entry;
        on eTransferDone goto Transferred;
        on eTransferFailed goto Retrying;
        on eTimerFired goto Resetting;
    }

    state Transferred {
        entry {
            busy = false;
            raise eUnit;
        }
        defer eD0Exit, eSwitchChanged;
        ignore eD0Entry;
        on eUnit push StoppingTimer;
        on eTimerOff goto Awake;
    }

    state Retrying {
        entry {
            busy = false;
            raise eUnit;
        }
        defer eD0Exit, eSwitchChanged;
        ignore eD0Entry;
        on eUnit push StoppingTimer;
        on eTimerOff goto Updating;
    }

    // What is deferred and ignored below stays so.
    state StoppingTimer {
        entry {
            send timer, eStopTimer;
        }
        defer eTimerFired;
        on eTimerStopped do { raise eTimerOff; }
        on eTimerTooLate goto WaitingForTimer;
    }

    state WaitingForTimer {
        on eTimerFired do { raise eTimerOff; }
    }

    state Resetting {
        entry {
            send light, eResetLight;
        }
        defer eD0Exit, eSwitchChanged;
        ignore eD0Entry, eTransferDone, eTransferFailed;
        on eResetDone goto Awake with { busy = false; }
    }
}
