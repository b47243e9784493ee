//@ about: Deferred events keep their order and their place before later ones.
//@ source: the P manual, state machines
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: proved !explore
event eA: int;
event eB: int;
event eC: int;
event eGo;

machine Main {
    var last: int;

    start state Init {
        entry {
            send this, eA, 1;
            send this, eB, 2;
            send this, eA, 3;
            send this, eGo;
            send this, eC, 4;
        }
        defer eA, eB;
        on eGo goto Next;
    }

    state Next {
        on eA, eB, eC do (n: int) {
            assert n == last + 1, "out of order";
            last = n;
        }
    }
}
