//@ about: mutual exclusion of two processes with shared variables
//@ source: G. L. Peterson, Myths about the mutual exclusion problem, 1981
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
byte turn; bool flag[2]; byte ncrit;
active [2] proctype user() {
again: flag[_pid] = 1; turn = _pid;
 (flag[1 - _pid] == 0 || turn == 1 - _pid);
 ncrit++; assert(ncrit == 1); ncrit--; flag[_pid] = 0; goto again }
