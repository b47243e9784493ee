//@ about: channels as parts of records, with room of their own
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
typedef Port { chan in = [1] of { byte }; byte used };
Port port[2];

active proctype P() {
    byte v;
    port[1].in!9;
    port[1].used++;
    assert(len(port[0].in) == 0 && len(port[1].in) == 1);
    port[1].in?v;
    assert(v == 9 && port[1].used == 1)
}
