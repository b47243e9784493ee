//@ about: Two senders: both orders are possible.
//@ source: written for the corpus
//@ expect assert: violated !explore
event eA: int;

machine Main {
    var first: int;

    start state Init {
        entry {
            new Sender((target = this, name = 1));
            new Sender((target = this, name = 2));
        }
        on eA do (n: int) {
            if (first == 0)
                first = n;
            assert first == 1, "the second sender can be first";
        }
    }
}

machine Sender {
    start state Init {
        entry (job: (target: machine, name: int)) { send job.target, eA, job.name; }
    }
}
