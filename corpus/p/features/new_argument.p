//@ about: Arguments of new become the payload of the entry: one as it is, several as a tuple.
//@ source: the P manual, statements
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: none !explore
machine Main {
    start state Init {
        entry {
            new One((x = 3, y = true));
            new Two(4, false);
        }
    }
}

machine One {
    start state Init {
        entry (both: (x: int, y: bool)) { assert both.x == 3 && both.y, "a named tuple"; }
    }
}

machine Two {
    start state Init {
        entry (both: (int, bool)) { assert both.0 == 4 && !both.1, "two arguments"; }
    }
}
