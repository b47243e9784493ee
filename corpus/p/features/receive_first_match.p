//@ about: A receive takes the first event of its cases, whatever lies before it, and leaves the rest in order.
//@ source: the P manual, statements
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: proved !explore
event eA: int;
event eB: int;
event eC: int;

machine Main {
    var last: int;

    start state Init {
        entry {
            send this, eA, 1;
            send this, eB, 2;
            send this, eC, 3;
            send this, eB, 4;
            send this, eA, 5;
            receive {
                case eC: (n: int) { assert false, "eB lies before eC"; }
                case eB: (n: int) { assert n == 2, "the first eB"; }
            }
            receive {
                case eB: (n: int) { assert false, "eC lies before the second eB"; }
                case eC: (n: int) { assert n == 3, "the only eC"; }
            }
        }
        on eA, eB do (n: int) {
            assert n > last && n != 2 && n != 3, "out of order";
            last = n;
        }
    }
}
