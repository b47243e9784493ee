//@ about: The entry of a new machine may run before its creator goes on.
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
        on eOwn do { assert !heard, "the child may be faster"; }
    }
}

machine Child {
    start state Init {
        entry (owner: machine) { send owner, eFromChild; }
    }
}
