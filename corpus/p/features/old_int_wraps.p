//@ about: In 2018, whole numbers have 32 bits.
//@ source: P as of 2018
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect deadlock: proved !explore
//@ expect bounded: none !explore
event eNever assert 1;

machine Main {
    start state Init {
        entry {
            var n: int;
            n = 2147483647;
            n = n + 1;
            assert n < 0, "it wraps around";
        }
    }
}
