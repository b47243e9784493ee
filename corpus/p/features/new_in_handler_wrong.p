//@ about: Machines can be created at any time, also by those that were created; here the opposite is asserted.
//@ source: the P manual, statements
//@ expect assert: violated !explore
event eMade: machine;

machine Main {
    var made: set[machine];

    start state Init {
        entry { new Maker((owner = this, depth = 2)); }
        on eMade do (who: machine) {
            assert !(who in made), "the same machine twice";
            made += (who);
            assert sizeof(made) < 3, "too many machines";
        }
    }
}

machine Maker {
    start state Init {
        entry (job: (owner: machine, depth: int)) {
            send job.owner, eMade, this;
            if (job.depth > 0)
                new Maker((owner = job.owner, depth = job.depth - 1));
        }
    }
}
