//@ about: what a process is provided with may be about its parameters
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: violated
bool w[3];
byte x;

proctype P(byte i) provided (w[i]) {
    assert(i == 1);
    x++
}

init {
    w[1] = true;
    run P(1);
    run P(2)
}
