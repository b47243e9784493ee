//@ about: processes that create processes of their own kind
//@ source: written for this corpus
//@ expect deadlock: proved !explore
byte x;
proctype C(byte d) { if :: d > 0 -> run C(d-1) :: else fi; x = x + d }
init { atomic { run C(2); run C(1) } ; x = 100 }
