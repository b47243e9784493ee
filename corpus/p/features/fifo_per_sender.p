//@ about: Messages of one sender keep their order.
//@ source: the P manual, state machines
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: proved !explore
event eA: (name: int, number: int);

machine Main {
    var last: map[int, int];

    start state Init {
        entry {
            last[1] = 0;
            last[2] = 0;
            new Sender((target = this, name = 1));
            new Sender((target = this, name = 2));
        }
        on eA do (a: (name: int, number: int)) {
            assert a.number == last[a.name] + 1, "out of order";
            last[a.name] = a.number;
        }
    }
}

machine Sender {
    start state Init {
        entry (job: (target: machine, name: int)) {
            send job.target, eA, (name = job.name, number = 1);
            send job.target, eA, (name = job.name, number = 2);
        }
    }
}
