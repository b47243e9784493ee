//@ about: A spec sees what the machines of its module send.
//@ source: the P manual, modules
//@ expect assert: violated !explore
event eA;

machine Main {
    start state Init {
        entry {
            var loud: machine;
            loud = new Sub();
            send loud, eA;
        }
    }
}

machine Sub {
    start state Init {
        ignore eA;
    }
}

spec Never observes eA {
    start state Init {
        on eA do { assert false, "it watches"; }
    }
}

test tcModule [main=Main]: (union (assert Never in { Main }), { Sub });
