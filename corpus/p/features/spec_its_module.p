//@ about: A spec sees only what the machines of its module send.
//@ source: the P manual, modules
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: proved !explore
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

test tcModule [main=Main]: (union { Main }, (assert Never in { Sub }));
