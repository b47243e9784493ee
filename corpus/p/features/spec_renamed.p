//@ about: A spec also watches a machine of its module that is renamed around it.
//@ source: the P manual, module system
//@ expect assert: violated !explore
event eA: machine;

machine Main {
    start state Init {
        entry { new Front(); }
    }
}

machine Service receives eA; {
    start state Init {
        entry { send this, eA, this; }
        ignore eA;
    }
}

interface Front() receives eA;

spec Watch observes eA {
    start state Init {
        on eA do (m: machine) { assert false, "seen"; }
    }
}

test tcWatch [main=Main]: union { Main }, (rename Service to Front in (assert Watch in { Service }));
