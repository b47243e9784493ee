//@ about: values wrap around at the widths of their types
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
byte b = 255;
short s = 32767;
unsigned u : 3 = 7;
bit flags[2];
int i = 2147483647;

active proctype P() {
    b++;
    s++;
    u = u + 2;
    flags[1] = 3;
    i++;
    assert(b == 0 && s == -32768 && u == 1 && flags[1] == 3);
    b--;
    assert(b == 255);
    i = -7 / 2;
    assert(i == -3 && -7 % 2 == -1)
}
