//@ about: A receive of null goes on if nothing can be taken.
//@ source: P as of 2018
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: none !explore
event eNever;

machine Main {
    start state Init {
        entry {
            receive {
                case eNever: { assert false, "nobody sends it"; }
                case null: { }
            }
            raise halt;
        }
    }
}
