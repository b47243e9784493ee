//@ about: An event in a variable with a payload of the wrong type fails.
//@ source: the P manual, statements
//@ expect assert: violated !explore
//@ note: whether it fails when it is sent or when it is handled, it fails
event eA: int;

machine Main {
    start state Init {
        entry {
            var e: event;
            e = eA;
            send this, e, true;
        }
        on eA do (n: int) {
            assert n != 5, "another number";
        }
    }
}
