//@ about: A queue with more copies of an event than declared fails.
//@ source: P as of 2018
//@ expect assert: violated !explore
event eA assert 1;

machine Main {
    start state Init {
        entry {
            send this, eA;
            send this, eA;
        }
        ignore eA;
    }
}
