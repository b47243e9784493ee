//@ about: Both announcements are seen.
//@ source: the P manual, statements
//@ expect assert: violated !explore
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
            assert n == 1, "out of order";
            last = n;
        }
    }
}

test tcAnnounce [main=Main]: assert Counts in { Main };
