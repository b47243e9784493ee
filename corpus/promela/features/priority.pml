//@ about: only processes of the highest priority among those that can move do move
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
byte x, y;

active proctype Low() priority 1 {
    y = x;
    assert(y == 0 || y == 3)
}

active proctype High() priority 5 {
    x = 1;
    x = 2;
    x = 3
}
