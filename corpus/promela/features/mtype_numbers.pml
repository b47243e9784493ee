//@ about: symbolic names are numbers: counted down in one declaration, and upwards from one to the next
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
mtype = { red, green, blue };
mtype = { black, white };
mtype light = green;

active proctype P() {
    assert(red == 3 && green == 2 && blue == 1);
    assert(black == 5 && white == 4);
    light = (light == green -> red : blue);
    printf("the light is %e\n", light);
    printm(light);
    assert(light == red)
}
