//@ about: Three processes advance in steps: a scheduler lets all go on when all are done, and each tells its two neighbours its count, which is never more than one ahead.
//@ source: Liu, Wahl and Lal (CAV 2019), Table 1, BoundedAsync; after Fisher, Henzinger, Mateescu and Piterman, Bounded asynchrony (2008)
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect divergence: proved !explore
//@ expect bounded: proved !explore
//@ note: a process tells its count before it asks for the next step, so its neighbours find it in their queues before the permission for that step; counts run modulo 3, which tells behind, equal and ahead apart
event eNeighbours: (left: machine, right: machine);
event eCount: int;
event eDone;
event eGo;

machine Scheduler {
    var processes: seq[machine];
    var missing: int;

    start state Init {
        entry {
            var i: int;
            while (i < 3) {
                processes += (i, new Process(this));
                i = i + 1;
            }
            i = 0;
            while (i < 3) {
                send processes[i], eNeighbours, (left = processes[(i + 2) % 3], right = processes[(i + 1) % 3]);
                i = i + 1;
            }
            goto Collecting;
        }
    }

    state Collecting {
        entry {
            missing = 3;
        }
        on eDone do {
            missing = missing - 1;
            if (missing == 0)
                goto Releasing;
        }
    }

    state Releasing {
        entry {
            var process: machine;
            foreach (process in processes) {
                send process, eGo;
            }
            goto Collecting;
        }
    }
}

machine Process {
    var scheduler: machine;
    var left: machine;
    var right: machine;
    var count: int;

    start state Init {
        entry (owner: machine) {
            scheduler = owner;
        }
        on eNeighbours goto Running with (both: (left: machine, right: machine)) {
            left = both.left;
            right = both.right;
            send scheduler, eDone;
        }
    }

    state Running {
        on eGo do {
            count = (count + 1) % 3;
            send left, eCount, count;
            send right, eCount, count;
            send scheduler, eDone;
        }
        on eCount do (other: int) {
            assert other == count || other == (count + 1) % 3, "a neighbour is behind or two ahead";
        }
    }
}

test tcBoundedAsync [main=Scheduler]: { Scheduler, Process };
