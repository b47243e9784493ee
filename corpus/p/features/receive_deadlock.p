//@ about: Two machines wait inside receive for each other.
//@ source: the P manual, statements
//@ expect unhandled: proved !explore
//@ expect deadlock: violated !explore
event eFirst;
event eSecond;

machine Main {
    start state Init {
        entry {
            var other: machine;
            other = new Other(this);
            receive {
                case eFirst: { send other, eSecond; }
            }
        }
    }
}

machine Other {
    start state Init {
        entry (owner: machine) {
            receive {
                case eSecond: { send owner, eFirst; }
            }
        }
    }
}
