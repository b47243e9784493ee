//@ about: records in records, with arrays inside
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
typedef Point { short x; short y };
typedef Shape { Point corner[3]; byte n = 3; bool closed };
Shape shapes[2];

active proctype P() {
    byte i;
    Shape own;
    assert(shapes[1].n == 3 && own.n == 3);
    for (i : 0 .. 2) {
        shapes[1].corner[i].x = i;
        shapes[1].corner[i].y = -i
    }
    own.corner[shapes[1].corner[2].x].y = 40000;
    own.closed = 1;
    assert(shapes[1].corner[2].y == -2 && shapes[0].corner[2].y == 0);
    assert(own.corner[2].y == -25536 && own.closed)
}
