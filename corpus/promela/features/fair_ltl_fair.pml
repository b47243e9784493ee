//@ about: one process waits for what another could always do, and does, under weak fairness
//@ source: written for this corpus
//@ option fair
//@ expect deadlock: proved !explore
//@ expect ltl:comes: proved
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
