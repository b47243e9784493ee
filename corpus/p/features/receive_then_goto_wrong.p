//@ about: A case of a receive may leave the state; here the opposite is asserted.
//@ source: the P manual, statements
//@ expect assert: violated !explore
event eA: int;

machine Main {
    start state Init {
        entry {
            send this, eA, 4;
            Wait();
            assert false, "the function was left for good";
        }
    }

    state Next {
        entry (n: int) { assert n != 4, "the payload is lost"; }
    }

    fun Wait() {
        receive {
            case eA: (n: int) { goto Next, n; }
        }
    }
}
