//@ about: A message to a machine that has halted is lost, but specs see it.
//@ source: P's runtime
//@ expect assert: violated !explore
event eA;
event eBye;

machine Main {
    start state Init {
        entry {
            var sub: machine;
            sub = new Sub(this);
            receive {
                case eBye: { send sub, eA; }
            }
        }
    }
}

machine Sub {
    start state Init {
        entry (owner: machine) {
            send owner, eBye;
            raise halt;
        }
    }
}

spec Never observes eA {
    start state Init {
        on eA do { assert false, "this is reached"; }
    }
}

test tcHalted [main=Main]: assert Never in { Main, Sub };
