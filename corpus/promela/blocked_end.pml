//@ about: jumps out of atomic sequences, and an end label before a loop
//@ source: written for this corpus
//@ expect deadlock: proved !explore
byte x;
active proctype A() { do :: x < 3 -> do :: x == 1 -> x = 2; break :: x != 1 -> break od; x++ :: else -> goto fin od; fin: atomic { x = 0; (x == 1); x = 7 } }
active proctype B() { end: do :: atomic { x == 0 -> x = 1 } :: atomic { x == 2 -> if :: true -> goto end :: skip fi; x = 5 } od }
