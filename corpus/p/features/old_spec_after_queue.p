//@ about: In 2018 specs see a message in the same step in which it is put into the queue: both orders are the same.
//@ source: P as of 2018
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: proved !explore
//@ note: spec_before_queue.p is the same program under today's rule; the cap leaves out nothing and marks the dialect
event eA assume 2: int;
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
