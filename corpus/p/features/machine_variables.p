//@ about: References to machines are compared and used as keys.
//@ source: the P manual, data types
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: proved !explore
event eName: machine;

machine Main {
    var ages: map[machine, int];
    var first: machine;

    start state Init {
        entry {
            var second: machine;
            first = new Sub(this);
            second = new Sub(this);
            assert first != second && first == first && first != null && this != first, "compared";
            ages[first] = 1;
            ages[second] = 2;
        }
        on eName do (who: machine) {
            assert who in ages, "a stranger";
            assert (who == first) == (ages[who] == 1), "another machine's age";
        }
    }
}

machine Sub {
    start state Init {
        entry (owner: machine) { send owner, eName, this; }
    }
}
