//@ about: output changes nothing, and is a step
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
mtype = { hello };
byte x = 65;

active proctype P() {
    printf("%d %u %x %o %c %e\n", x, x, x, x, x, hello);
    printf("MSC: nothing to see\n");
    printm(hello);
    assert(x == 65)
}
