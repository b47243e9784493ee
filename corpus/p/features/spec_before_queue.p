//@ about: Specs see a message before it is in the queue: two racing senders can be seen in one order and queued in the other.
//@ source: P's runtime
//@ expect assert: violated !explore
//@ note: old_spec_after_queue.p is the same program under the old rule
event eA: int;
event eGot: int;

machine Main {
    start state Init {
        entry {
            new Sender((target = this, name = 1));
            new Sender((target = this, name = 2));
        }
        on eA do (n: int) { announce eGot, n; }
    }
}

machine Sender {
    start state Init {
        entry (job: (target: machine, name: int)) { send job.target, eA, job.name; }
    }
}

spec SameOrder observes eA, eGot {
    var sent: seq[int];

    start state Init {
        on eA do (n: int) { sent += (sizeof(sent), n); }
        on eGot do (n: int) {
            assert sent[0] == n, "the queue has another order";
            sent -= (0);
        }
    }
}

test tcRace [main=Main]: assert SameOrder in { Main, Sender };
