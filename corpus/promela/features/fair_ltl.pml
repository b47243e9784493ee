//@ about: one process waits for what another could always do, but need not
//@ source: written for this corpus
//@ expect deadlock: proved !explore
//@ expect ltl:comes: violated
//@ note: violated by the runs in which Helper is passed over for ever; fair_ltl_fair.pml leaves them out
bool helped;
byte x;

active proctype Impatient() {
    do
    :: !helped -> x = 1 - x
    :: helped -> break
    od
}

active proctype Helper() {
    helped = true
}

ltl comes { <> helped }
