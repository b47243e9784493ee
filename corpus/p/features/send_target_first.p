//@ about: The target of a send is worked out before what it carries.
//@ source: P's compiler, expressions from left to right
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: proved !explore
event eA: int;

machine Main {
    var target: machine;

    start state Init {
        entry {
            target = new Right();
            send target, eA, changed();
        }
        on eA do (n: int) { assert false, "the target after the call"; }
    }

    fun changed(): int {
        target = this;
        return 1;
    }
}

machine Right {
    start state Init {
        ignore eA;
    }
}
