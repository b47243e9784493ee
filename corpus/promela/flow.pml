//@ about: every way to direct control: nested choices, jumps, loops, late declarations
//@ source: written for this corpus
//@ expect deadlock: proved !explore
byte x;

active [2] proctype P() {
    byte i;
    do
    :: x < 2 -> x++
    :: x == 2 -> break
    :: goto out
    :: if
       :: x == 1 -> skip
       :: goto out
       fi;
       x = 0
    od;
out:
    if
    :: atomic { x = 3; x = 4; goto last }
    :: atomic { x = 5; if :: x == 5 -> goto last :: else -> x = 1; goto out fi }
    :: x == 7 -> skip
    fi;
    byte late = 3;
    select(i : 1..3);
last:
    atomic { x = 7; x = 8 };
    for (i : 1..2) { x = i; printf("%d\n", i) }
}
