//@ about: An elevator with a door and a timer, and a user who presses buttons without end.
//@ source: Liu, Wahl and Lal (CAV 2019), Table 1, Elevator-fixed; after the elevator of Desai et al., P (PLDI 2013), as their paper describes it
//@ expect assert: proved !converge
//@ expect unhandled: proved !converge
//@ expect deadlock: proved !converge
//@ expect divergence: proved !converge
//@ expect bounded: violated
//@ note: each command to the door and the timer is answered once, and the elevator stays where it handles the answer until it has come; a timer that fires while it is stopped says so first
event eOpen;
event eClose;
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
        on eObstacle goto DoorOpening;
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
