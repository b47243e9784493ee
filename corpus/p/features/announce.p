//@ about: An announced event is seen by specs only, not by machines.
//@ source: the P manual, statements
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: none !explore
event eA: int;

machine Main {
    start state Init {
        entry {
            announce eA, 1;
            announce eA, 2;
        }
    }
}

spec Counts observes eA {
    var last: int;

    start state Init {
        on eA do (n: int) {
            assert n == last + 1, "out of order";
            last = n;
        }
    }
}

test tcAnnounce [main=Main]: assert Counts in { Main };
