//@ about: The entry of a new machine runs later: its creator may be faster.
//@ source: P's runtime
//@ expect assert: violated !explore
event eFromChild;
event eOwn;

machine Main {
    var heard: bool;

    start state Init {
        entry {
            new Child(this);
            send this, eOwn;
        }
        on eFromChild do { heard = true; }
        on eOwn do { assert heard, "the child may be slower"; }
    }
}

machine Child {
    start state Init {
        entry (owner: machine) { send owner, eFromChild; }
    }
}
