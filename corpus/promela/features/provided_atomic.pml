//@ about: a condition on a process holds back the inside of its atomic sequences as well
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
bool on = true;
byte x;

active proctype P() provided (on) {
    atomic {
        x = 1;
        on = false;
        x = 2
    }
}

active proctype Q() {
    !on -> assert(x == 1);
    on = true
}
