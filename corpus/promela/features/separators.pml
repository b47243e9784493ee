//@ about: semicolons, arrows and line ends between statements
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
byte x
byte y = 1;

active proctype P()
{
    x = 1 -> x++ ; x++;
    if :: x == 3 ; y = 2 :: x == 4 -> y = 3; fi
    do :: y == 2 -> break; od;
    { x = 7; }
    atomic { x++; x++; }
    assert(x == 9);
}
