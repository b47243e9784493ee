//@ about: timeout as a statement and inside of conditions
//@ source: written for this corpus
//@ expect deadlock: proved !explore
byte x;
chan q = [2] of { byte };
active proctype A() { do :: q!x :: x < 2 -> x++ :: timeout -> x = 9; break od }
active proctype B() { do :: len(q) == 2 -> q?_ :: x == 2 && !q?[1] -> break od; (timeout || x == 9) }
