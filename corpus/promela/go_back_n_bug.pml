//@ about: a window of two frames and numbers modulo two
//@ source: A. S. Tanenbaum, Computer networks, 1981, protocol 5
//@ expect assert: violated !explore
//@ note: the mistake: there must be one number more than there are frames in the window
#define W 2
#define M 2
chan frames = [W] of { byte, byte };
chan acks = [W] of { byte };

active proctype Sender() {
    byte base, flying, true_base, a;
    do
    :: flying < W ->
       frames!(base + flying) % M, (true_base + flying) % 8;
       flying++
    :: acks?a ->
       do
       :: flying > 0 && base != a ->
          d_step { base = (base + 1) % M; true_base = (true_base + 1) % 8; flying-- }
       :: else -> break
       od;
       a = 0
    :: timeout -> flying = 0
    od
}

active proctype Receiver() {
    byte wanted, true_wanted, n, v;
    do
    :: frames?n, v ->
       if
       :: n == wanted ->
          assert(v == true_wanted);
          d_step { wanted = (wanted + 1) % M; true_wanted = (true_wanted + 1) % 8 }
       :: else -> skip
       fi;
       d_step { n = 0; v = 0 };
       acks!wanted
    od
}

active proctype Loss() {
end:
    do
    :: frames?_, _
    :: acks?_
    od
}
