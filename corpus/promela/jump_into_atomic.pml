//@ about: a jump into an atomic sequence, and nested choices with else
//@ source: written for this corpus
//@ expect deadlock: proved !explore
byte x;
active proctype P() {
  goto mid;
  atomic { x = 1;
mid: x = 2; x = 3; x = 4 }
  x = 5
}
active proctype Q() { x = 9; if :: x == 9 -> goto done :: x != 9 -> if :: x == 4 -> x = 11 :: else fi fi; x = 12; done: skip }
