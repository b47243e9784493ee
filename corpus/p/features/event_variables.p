//@ about: Events are values: they can be stored, compared, sent and raised.
//@ source: the P manual, data types
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: proved !explore
event eA: int;
event eB;

machine Main {
    var e: event;

    start state Init {
        entry {
            assert e == null, "nothing yet";
            e = eA;
            assert e == eA && e != eB, "compared";
            send this, e, 3;
        }
        on eA do (n: int) {
            assert n == 3, "the payload is lost";
            e = eB;
            raise e;
        }
        on eB do { assert e == eB, "stored"; }
    }
}
