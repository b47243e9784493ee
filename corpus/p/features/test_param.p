//@ about: A parameter of a test is a constant of the program; the assumption leaves one value.
//@ source: the P manual, test cases
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: proved !explore
param nTimes: int;

event eTick;

machine Main {
    var ticks: int;

    start state Init {
        entry {
            var i: int;
            while (i < nTimes) {
                send this, eTick;
                i = i + 1;
            }
        }
        on eTick do {
            ticks = ticks + 1;
            assert ticks <= 3 && nTimes == 3, "another value";
        }
    }
}

test param (nTimes in [1, 2, 3]) assume (nTimes > 2) tcParam [main=Main]: { Main };
