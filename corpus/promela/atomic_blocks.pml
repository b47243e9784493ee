//@ about: an atomic sequence that waits for room in a channel in its middle
//@ source: written for this corpus
//@ expect deadlock: proved !explore
chan c = [1] of { byte };
byte x;
active proctype S() { byte i; do :: atomic { i < 3 -> c!i; x = i; c!i; i++ } :: else -> break od }
active proctype R() { byte v; do :: c?v -> x = v + 10 :: timeout -> break od }
