//@ about: A worker makes the two halves of an operation on a reliable store, one after the other; when it crashes, another one asks the store how far it was and goes on.
//@ source: Liu, Wahl and Lal (CAV 2019), Table 1, Failover; the paper only names it: the usual primary and backup, written for the corpus
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect divergence: proved !explore
//@ expect bounded: proved !explore
//@ note: a worker sends one half and waits for the answer, so a crash leaves at most one request behind; the question of the backup comes behind it, so the answer counts it
//@ note: the two counters of the store run modulo 3: what matters is only that they are equal or one apart
event eFirstHalf: machine;
event eSecondHalf: machine;
event eDone;
event eQuestion: machine;
event eAnswer: bool;
event eCrashed;

machine Driver {
    var store: machine;

    start state Primary {
        entry {
            store = new Store();
            new Worker((store = store, driver = this, mayCrash = true));
        }
        on eCrashed goto Backup;
    }

    state Backup {
        entry {
            new Worker((store = store, driver = this, mayCrash = false));
        }
    }
}

machine Store {
    var first: int;
    var second: int;

    start state Serving {
        on eFirstHalf do (worker: machine) {
            assert first == second, "the first half is made twice";
            first = (first + 1) % 3;
            send worker, eDone;
        }
        on eSecondHalf do (worker: machine) {
            assert first == (second + 1) % 3, "the second half is made without the first";
            second = (second + 1) % 3;
            send worker, eDone;
        }
        on eQuestion do (worker: machine) {
            send worker, eAnswer, first != second;
        }
    }
}

machine Worker {
    var store: machine;
    var driver: machine;
    var mayCrash: bool;
    var half: bool;

    start state Init {
        entry (job: (store: machine, driver: machine, mayCrash: bool)) {
            store = job.store;
            driver = job.driver;
            mayCrash = job.mayCrash;
            goto Asking;
        }
    }

    state Asking {
        entry {
            send store, eQuestion, this;
        }
        on eAnswer goto Working with (halfDone: bool) { half = halfDone; }
    }

    state Working {
        entry {
            MaybeCrash();
            if (half)
                send store, eSecondHalf, this;
            else
                send store, eFirstHalf, this;
            MaybeCrash();
        }
        on eDone goto Working with { half = !half; }
    }

    fun MaybeCrash() {
        if (mayCrash && $) {
            send driver, eCrashed;
            raise halt;
        }
    }
}

test tcFailover [main=Driver]: { Driver, Store, Worker };
