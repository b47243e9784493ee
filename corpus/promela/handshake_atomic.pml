//@ about: handshakes between processes in atomic sequences, and one that is not
//@ source: written for this corpus
//@ expect deadlock: proved !explore
chan c = [0] of { byte };
byte x, y;
active proctype S() { atomic { x = 1; c!1; x = 2; c!2; x = 3 } x = 4 }
active proctype R() { byte v; atomic { c?v; y = v; y = y + 1 } c?v; y = 9; y = 10 }
active proctype T() { x = 7; y = 7 }
