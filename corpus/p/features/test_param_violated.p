//@ about: A parameter of a test takes the value of its list.
//@ source: the P manual, test cases
//@ expect assert: violated !explore
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
            assert ticks < 3, "the third tick";
        }
    }
}

test param (nTimes in [3]) tcParam [main=Main]: { Main };
