//@ about: A pushed state inherits what the state below defers and does, but not its transitions.
//@ source: P as of 2018
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: proved !explore
//@ note: eBack is a transition of the state below: Above is popped, then Below is left
event eGo;
event eDo: int;
event eDefer: int;
event eBack;

machine Main {
    var order: int;

    start state Below {
        entry {
            send this, eGo;
            send this, eDefer, 1;
            send this, eDo, 2;
            send this, eBack;
        }
        on eGo push Above;
        defer eDefer;
        on eDo do (n: int) {
            assert order == 0 && n == 2, "inherited, and before the deferred one";
            order = 1;
        }
        on eBack goto Last;
        exit {
            assert order == 1, "left by eBack only";
            order = 2;
        }
    }

    state Above {
        entry { assert order == 0, "the state below was not left"; }
    }

    state Last {
        on eDefer do (n: int) { assert order == 2 && n == 1, "it was kept"; }
    }
}
