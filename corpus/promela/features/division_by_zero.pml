//@ about: division by a variable that can be zero
//@ source: written for this corpus
//@ expect assert: violated !explore
//@ note: the verifier of SPIN dies of this without a report
byte n = 2, x;

active proctype P() {
    do
    :: n-- ; x = 10 / n
    od
}
