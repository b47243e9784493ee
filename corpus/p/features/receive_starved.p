//@ about: A machine waits inside receive for ever while another one runs: that is no deadlock.
//@ source: P's runtime
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: proved !explore
event eNever;
event eTick;

machine Main {
    start state Init {
        entry {
            new Ticker();
            receive {
                case eNever: { }
            }
        }
    }
}

machine Ticker {
    start state Init {
        entry { send this, eTick; }
        on eTick do { send this, eTick; }
    }
}
