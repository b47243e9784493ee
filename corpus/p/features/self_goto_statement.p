//@ about: A goto statement to the own state runs its exit and its entry.
//@ source: the P manual, statements
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: proved !explore
event eDone;

machine Main {
    var entered: int;
    var left: int;

    start state Init {
        entry {
            entered = entered + 1;
            if (entered == 1) {
                send this, eDone;
                goto Init;
            }
            assert left == 1, "it is left first";
        }
        exit { left = left + 1; }
        on eDone do { assert entered == 2 && left == 1, "left once and entered twice"; }
    }
}
