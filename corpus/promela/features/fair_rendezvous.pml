//@ about: weak fairness and a handshake that could always be made
//@ source: written for this corpus
//@ option fair
//@ expect deadlock: proved !explore
//@ expect ltl:meet: proved
chan c = [0] of { bit };
bool met;
byte x;

active proctype Sender() {
    c!1;
    met = true
}

active proctype Receiver() {
    c?1
}

active proctype Other() {
    do
    :: x = 1 - x
    od
}

ltl meet { <> met }
