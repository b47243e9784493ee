//@ about: what a process is provided with cannot be worked out
//@ source: written for this corpus
//@ expect assert: violated
bool w[2];

proctype P(byte i) provided (w[i]) {
    skip
}

init {
    run P(2)
}
