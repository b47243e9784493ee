//@ about: The variables of a case begin with their default values each time.
//@ source: P's compiler
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: proved !explore
event eA;

machine Main {
    start state Init {
        entry {
            var i: int;
            send this, eA;
            send this, eA;
            while (i < 2) {
                receive {
                    case eA: {
                        var n: int;
                        n = n + 1;
                        assert n == 1, "kept from before";
                    }
                }
                i = i + 1;
            }
        }
    }
}
