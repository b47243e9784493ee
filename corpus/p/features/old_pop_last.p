//@ about: A pop of the last state fails.
//@ source: P as of 2018
//@ expect assert: violated !explore
event eA;

machine Main {
    start state Init {
        entry { send this, eA; }
        on eA do { pop; }
    }
}
