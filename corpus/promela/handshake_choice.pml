//@ about: several senders and receivers at one channel without room, with else
//@ source: written for this corpus
//@ expect deadlock: proved !explore
chan c = [0] of { byte, byte };
byte n;
active [2] proctype S() { if :: c!_pid,1 :: c!_pid,2 :: else -> n++ fi }
active [2] proctype R() { byte a; end: if :: c?a,1 :: c?eval(_pid-2),_ fi; n = n + 4; }
