//@ about: The forgetful elevator where the user has to wait until a press of the same button was taken.
//@ source: Liu, Wahl and Lal (CAV 2019), Table 1, Elevator-buggy; after the elevator of Desai et al., P (PLDI 2013), as their paper describes it
//@ expect assert: proved !converge
//@ expect unhandled: violated !explore
//@ expect deadlock: proved !converge
//@ expect divergence: proved !converge
//@ expect bounded: proved !converge
//@ note: the door meets an obstacle while the elevator already wants to stop it: in StoppingDoor nobody expects eObstacle
//@ note: the mistake is of the kind that the paper reports; which one it was is not said
event eOpen assume 1;
event eClose assume 1;
event eDoOpen;
event eDoClose;
event eDoStop;
event eIsOpen;
event eIsClosed;
event eIsStopped;
event eObstacle;
event eStartTimer;
event eStopTimer;
event eFired;
event eStopped;
event eTooLate;
event eTimerOff;
event eUnit;

machine Main {
    var elevator: machine;

    start state Init {
        entry {
            elevator = new Elevator();
            goto Pressing;
        }
    }

    // Somebody presses buttons, faster than anything moves.
    state Pressing {
        entry {
            if ($)
                send elevator, eOpen;
            else
                send elevator, eClose;
            goto Pressing;
        }
    }
}

machine Elevator {
    var door: machine;
    var timer: machine;
    var shut: bool;

    start state Init {
        entry {
            door = new Door(this);
            timer = new Timer(this);
            shut = true;
            raise eUnit;
        }
        on eUnit goto DoorClosed;
    }

    state DoorClosed {
        entry {
            assert shut, "the door is not closed";
        }
        ignore eClose;
        on eOpen goto DoorOpening;
    }

    state DoorOpening {
        entry {
            shut = false;
            send door, eDoOpen;
        }
        defer eClose;
        ignore eOpen;
        on eIsOpen goto DoorOpen;
    }

    state DoorOpen {
        entry {
            send timer, eStartTimer;
        }
        defer eClose;
        on eOpen push StoppingTimer;
        on eFired goto OkToClose;
        on eTimerOff goto DoorOpen;
    }

    state OkToClose {
        entry {
            send timer, eStartTimer;
        }
        defer eOpen;
        on eClose push StoppingTimer;
        on eFired goto DoorClosing;
        on eTimerOff goto DoorClosing;
    }

    state DoorClosing {
        entry {
            assert !shut, "the door is told to close and is closed";
            send door, eDoClose;
        }
        defer eClose;
        on eOpen goto StoppingDoor;
        on eIsClosed goto DoorClosed with { shut = true; }
        on eObstacle goto DoorOpening;
    }

    state StoppingDoor {
        entry {
            send door, eDoStop;
        }
        defer eClose;
        ignore eOpen;
        on eIsStopped goto DoorOpening;
        on eIsClosed goto DoorClosed with { shut = true; }
    }

    // Called from two states; both buttons wait.
    state StoppingTimer {
        entry {
            send timer, eStopTimer;
        }
        defer eOpen, eClose, eFired;
        on eStopped do { raise eTimerOff; }
        on eTooLate goto WaitingForTimer;
    }

    state WaitingForTimer {
        defer eOpen, eClose;
        on eFired do { raise eTimerOff; }
    }
}

machine Door {
    var elevator: machine;

    start state Init {
        entry (owner: machine) {
            elevator = owner;
            goto Resting;
        }
    }

    // A stop that comes too late is answered by what was said before.
    state Resting {
        ignore eDoStop;
        on eDoOpen do { send elevator, eIsOpen; }
        on eDoClose goto Closing;
    }

    state Closing {
        on null do {
            if ($)
                send elevator, eObstacle;
            else
                send elevator, eIsClosed;
            goto Resting;
        }
        on eDoStop goto Resting with { send elevator, eIsStopped; }
    }
}

machine Timer {
    var elevator: machine;

    start state Init {
        entry (owner: machine) {
            elevator = owner;
            goto Off;
        }
    }

    state Off {
        on eStartTimer goto On;
        on eStopTimer do { send elevator, eTooLate; }
    }

    state On {
        on null do {
            send elevator, eFired;
            goto Off;
        }
        on eStopTimer goto Off with { send elevator, eStopped; }
    }
}
