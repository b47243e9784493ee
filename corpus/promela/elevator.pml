//@ about: a cabin between four floors serves every call, and never moves with an open door
//@ source: D. E. Knuth, The art of computer programming, volume 1, 1968, section 2.2.5, has an elevator of this kind
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
//@ expect livelock: proved
//@ expect ltl:closed: proved
//@ expect ltl:served: proved
#define FLOORS 4
bool called[FLOORS];
byte floor;
bool open, moving, up = true;

active proctype Users() {
    byte f;
    do
    :: select(f : 0 .. 3);
       atomic { !called[f] -> called[f] = true }
    od
}

active proctype Cabin() {
    do
    :: called[floor] ->
       open = true;
progress:
       called[floor] = false;
       open = false;
       goto go_on
    :: !called[floor] && (called[0] || called[1] || called[2] || called[3]) ->
go_on:
       atomic {
           if
           :: floor == FLOORS - 1 -> up = false
           :: floor == 0 -> up = true
           :: else -> skip
           fi;
           moving = true
       };
       assert(!open);
       floor = (up -> floor + 1 : floor - 1);
       moving = false
    od
}

ltl closed { [] !(open && moving) }
ltl served { [] (called[3] -> <> !called[3]) }
