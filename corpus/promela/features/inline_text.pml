//@ about: an inline sequence is text: its argument is worked out anew wherever it stands
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
byte i, a[3];

inline fill(place, value) {
    i = 1;
    place = value;
    i = 2;
    place = value
}

active proctype P() {
    fill(a[i], 10 + i);
    assert(a[0] == 0 && a[1] == 11 && a[2] == 12)
}
