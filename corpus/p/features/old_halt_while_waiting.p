//@ about: In 2018, a machine that waits for other events does not take halt.
//@ source: P as of 2018
//@ expect assert: violated !explore
event eLater assert 1;

machine Main {
    start state Init {
        entry {
            send this, halt;
            send this, eLater;
            receive { case eLater: { assert false, "this is reached"; } }
        }
    }
}
