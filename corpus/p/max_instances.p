//@ about: A dispatcher gives each of three workers at most two jobs at a time; the declared numbers of copies are never exceeded.
//@ source: Liu, Wahl and Lal (CAV 2019), Table 1, MaxInstances; the paper only names it: events with a declared number of copies, written for the corpus
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect divergence: proved !explore
//@ expect bounded: proved !explore
//@ note: a job is open from the dispatcher's send until its answer is taken; the dispatcher keeps at most two open per worker, so a worker's queue has at most two jobs and the dispatcher's at most six answers
//@ limit bound=8 states=200000
event eJob assert 2;
event eDone assert 6: machine;
event eUnit;

machine Main {
    var workers: seq[machine];
    var open: map[machine, int];

    start state Init {
        entry {
            var i: int;
            i = 0;
            while (i < 3) {
                workers += (i, new Worker(this));
                open[workers[i]] = 0;
                i = i + 1;
            }
            raise eUnit;
        }
        on eUnit goto Dispatching;
    }

    state Dispatching {
        on null do Dispatch;
        on eDone do Finish;
    }

    state Full {
        on eDone goto Dispatching with Finish;
    }

    fun Dispatch() {
        var worker: machine;
        worker = workers[0];
        if ($)
            worker = workers[1];
        else if ($)
            worker = workers[2];
        if (open[worker] == 2)
            goto Full;
        open[worker] = open[worker] + 1;
        send worker, eJob;
    }

    fun Finish(worker: machine) {
        assert open[worker] > 0, "an answer without a job";
        open[worker] = open[worker] - 1;
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
