//@ about: Words that only P's deductive verifier needs are ordinary names elsewhere.
//@ source: P 2.x programs
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: proved !explore
event eA: (targets: int, sent: bool);

machine Main {
    var invariant: int;

    start state Init {
        entry {
            var requires: int;
            requires = exists(2);
            invariant = requires;
            send this, eA, (targets = invariant, sent = true);
        }
        on eA do (pure: (targets: int, sent: bool)) {
            assert pure.targets == 3 && pure.sent, "the names mean nothing";
        }
    }

    fun exists(forall: int): int {
        return forall + 1;
    }
}
