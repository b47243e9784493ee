//@ about: Inside a receive what the state defers, ignores and handles does not count.
//@ source: the P manual, statements
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: proved !explore
event eA;
event eB;
event eC;

machine Main {
    var got: int;

    start state Init {
        entry {
            send this, eA;
            send this, eB;
            send this, eC;
            receive {
                case eB: { got = got + 1; }
            }
            receive {
                case eC: { got = got + 1; }
            }
        }
        defer eB;
        ignore eC;
        on eA do { assert got == 2, "handled during the receive"; }
    }
}
