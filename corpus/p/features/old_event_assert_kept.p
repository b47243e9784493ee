//@ about: A queue never has more copies of an event than declared.
//@ source: P as of 2018
//@ expect assert: proved !explore
//@ expect unhandled: proved !explore
//@ expect bounded: proved !explore
//@ expect queue Main: bounded by 2 !explore
event eA assert 1: int;
event eB assert 1;

machine Main {
    start state Init {
        entry {
            send this, eA, 1;
            send this, eB;
        }
        on eA do (n: int) { raise eA2; }
        on eA2 do { assert true, "raised events do not count"; }
        ignore eB;
    }
}

event eA2 assert 0;
