//@ about: a cabin that goes where it is called first, and a door that is closed too late
//@ source: D. E. Knuth, The art of computer programming, volume 1, 1968, section 2.2.5, has an elevator of this kind
//@ expect assert: violated !explore
//@ note: the mistake: the door and the cabin are told at the same time
#define FLOORS 3
mtype = { open_door, close_door };
chan calls = [2] of { byte };
chan door = [1] of { mtype };
byte floor;
bool open;

active proctype Users() {
    byte f;
    do
    :: select(f : 0 .. 2); calls!f
    od
}

active proctype Door() {
    do
    :: door?open_door -> open = true
    :: door?close_door -> open = false
    od
}

active proctype Cabin() {
    byte to;
    do
    :: calls?to ->
       do
       :: floor < to -> assert(!open); floor++
       :: floor > to -> assert(!open); floor--
       :: floor == to -> break
       od;
       door!open_door;
       door!close_door
    od
}
