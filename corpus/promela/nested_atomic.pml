//@ about: arithmetic, nested atomic sequences and inner blocks
//@ source: written for this corpus
//@ expect deadlock: proved !explore
byte x; int i;
active proctype P() { i = -5; i = i >> 1; x = i; i = 1 << 31; i = i - 1; x = (x > 3 -> i % 7 : 2); i = ~i; { byte in1; in1 = 3; x = in1 } { byte in1 = 2; x = in1; } atomic { atomic { x = 1; x = 2 } x = 3; { x = 4 } } x++ }
active proctype Q() { atomic { if :: x == 1 -> x = 20 :: x == 3 -> x = 21 :: else -> skip fi; x = 30; do :: x == 30 -> x = 31 :: x == 31 -> break od } x = 40 }
