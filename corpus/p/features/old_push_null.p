//@ about: A null handler is inherited by a pushed state.
//@ source: P as of 2018
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: none !explore
event eGo;

machine Main {
    var above: bool;

    start state Below {
        entry { raise eGo; }
        on eGo push Above;
        on null do Idle;
    }

    state Above {
        entry { above = true; }
    }

    fun Idle() {
        assert above, "nothing was pushed";
        raise halt;
    }
}
