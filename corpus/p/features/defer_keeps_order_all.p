//@ about: All deferred events come back: the last of four is seen.
//@ source: the P manual, state machines
//@ expect assert: violated !explore
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
            assert n < 4, "the fourth one";
            last = n;
        }
    }
}
