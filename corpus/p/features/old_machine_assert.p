//@ about: A queue that holds more than its machine declares fails.
//@ source: P as of 2018
//@ expect assert: violated !explore
event eA;

machine Main {
    start state Init {
        entry {
            var sub: machine;
            sub = new Sub();
            send sub, eA;
            send sub, eA;
        }
    }
}

machine Sub assert 1 {
    start state Init {
        ignore eA;
    }
}
