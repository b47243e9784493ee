//@ about: An elevator, its door and a user who floods it with requests, in P without defer; elevator and door never talk at the same time.
//@ source: Bouajjani, Enea, Ji and Qadeer (CAV 2018), Figure 3 without the dashed edge
//@ expect unhandled: proved !converge
//@ expect deadlock: proved !converge
//@ expect sync: proved k=1 !exchange
//@ expect bounded: violated
//@ expect queue User: bounded by 0
//@ note: the same machines as in corpus/cfsm/elevator_sync1.cfsm
event eOpenReq;
event eCloseReq;
event eOpen;
event eReset;
event eClose;
event eStop;
event eDoorOpened;
event eDoorStopped;

machine User {
    var elevator: machine;

    start state Init {
        entry {
            elevator = new Elevator();
            goto Pressing;
        }
    }

    state Pressing {
        entry {
            if ($)
                send elevator, eOpenReq;
            else
                send elevator, eCloseReq;
            goto Pressing;
        }
    }
}

machine Elevator {
    var door: machine;

    start state Init {
        entry {
            door = new Door(this);
            goto Closed;
        }
    }

    state Closed {
        on eOpenReq goto Opening with { send door, eOpen; }
        ignore eCloseReq;
    }

    state Opening {
        on eDoorOpened goto Opened with { send door, eReset; }
        ignore eOpenReq, eCloseReq;
    }

    state Opened {
        on eCloseReq goto Closing with { send door, eClose; }
        ignore eOpenReq;
    }

    state Closing {
        on eOpenReq goto Stopping with { send door, eStop; }
        ignore eCloseReq;
    }

    state Stopping {
        on eDoorStopped goto Opening;
        ignore eOpenReq, eCloseReq;
    }
}

machine Door {
    var elevator: machine;

    start state Init {
        entry (home: machine) {
            elevator = home;
            goto Resting;
        }
    }

    state Resting {
        on eOpen goto WaitingForReset with { send elevator, eDoorOpened; }
        on eClose goto Closing;
    }

    state Closing {
        on eStop do {
            send elevator, eDoorStopped;
            send elevator, eDoorOpened;
            goto WaitingForReset;
        }
    }

    state WaitingForReset {
        on eReset goto Resting;
        ignore eOpen;
    }
}

test tcElevator [main=User]: { User, Elevator, Door };
