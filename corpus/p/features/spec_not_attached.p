//@ about: A spec that no test attaches watches nothing.
//@ source: the P manual, modules
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
event eA;

machine Main {
    var none: set[int];

    start state Init {
        entry {
            assert sizeof(none) == 0, "here I am";
            send this, eA;
        }
        ignore eA;
    }
}

spec Never observes eA {
    start state Init {
        on eA do { assert false, "it watches"; }
    }
}
