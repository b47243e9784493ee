//@ about: A dispatcher that does not count: runs in which a worker would have three jobs in its queue are left out.
//@ source: Liu, Wahl and Lal (CAV 2019), Table 1, MaxInstances, with caps instead of assertions
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect divergence: proved !explore
//@ expect bounded: proved !explore
//@ note: without the cap the workers' queues could grow for ever; the dispatcher only sends a job when it has taken all answers, so answers cannot outnumber the jobs that were in the two queues and in work
//@ limit bound=8 states=200000
event eJob assume 2;
event eDone: machine;
event eUnit;

machine Main {
    var workers: map[machine, bool];
    var first: machine;
    var second: machine;

    start state Init {
        entry {
            first = new Worker(this);
            second = new Worker(this);
            workers[first] = true;
            workers[second] = true;
            raise eUnit;
        }
        on eUnit goto Dispatching;
    }

    state Dispatching {
        on null do {
            if ($)
                send first, eJob;
            else
                send second, eJob;
        }
        on eDone do (worker: machine) {
            assert worker in workers, "an answer from a stranger";
        }
    }
}

machine Worker {
    var dispatcher: machine;

    start state Init {
        entry (owner: machine) {
            dispatcher = owner;
            goto Resting;
        }
    }

    state Resting {
        on eJob push Working;
    }

    state Working {
        entry {
            send dispatcher, eDone, this;
            pop;
        }
    }
}
