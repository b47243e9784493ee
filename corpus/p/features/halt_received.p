//@ about: A receive can wait for halt.
//@ source: the P manual, statements
//@ expect assert: violated !explore
machine Main {
    start state Init {
        entry {
            send this, halt;
            receive {
                case halt: { assert false, "this is reached"; }
            }
        }
    }
}
