//@ about: a claim about progress, as the check for livelocks makes it
//@ source: G. J. Holzmann, The SPIN model checker, 2004, section 4
//@ expect deadlock: proved !explore
//@ expect livelock: violated
//@ expect ltl:never: violated
byte x;

active proctype P() {
    do
    :: x = 1 - x
    :: x == 1 ->
progress:
       x = 0
    od
}

never {
    do
    :: true
    :: np_ -> goto accept
    od;
accept:
    do
    :: np_
    od
}
