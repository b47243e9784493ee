//@ about: a receiver who keeps frames that come too early, with a window of two and numbers modulo four
//@ source: A. S. Tanenbaum, Computer networks, 1981, protocol 6
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
//@ expect livelock: violated
//@ note: the frames carry the true number modulo 8, which the protocol does not look at
#define W 2
#define M 4
chan frames = [W] of { byte, byte };
chan acks = [1] of { byte };

active proctype Sender() {
    byte base, true_base, a;
    bool sent[W], done[W];
    do
    :: !sent[0] -> frames!base, true_base; sent[0] = true
    :: !sent[1] -> frames!(base + 1) % M, (true_base + 1) % 8; sent[1] = true
    :: acks?a ->
       d_step {
           if
           :: a == base -> done[0] = true
           :: a == (base + 1) % M -> done[1] = true
           :: else -> skip
           fi;
           do
           :: done[0] ->
              base = (base + 1) % M; true_base = (true_base + 1) % 8;
              done[0] = done[1]; sent[0] = sent[1];
              done[1] = false; sent[1] = false
           :: else -> break
           od;
           a = 0
       }
    :: timeout -> sent[0] = false; sent[1] = done[1]
    od
}

active proctype Receiver() {
    byte wanted, true_wanted, n, v, early;
    bool kept;
    do
    :: frames?n, v ->
       if
       :: n == wanted ->
progress:
          assert(v == true_wanted);
          d_step { wanted = (wanted + 1) % M; true_wanted = (true_wanted + 1) % 8 };
          if
          :: kept ->
             assert(early == true_wanted);
             d_step {
                 wanted = (wanted + 1) % M; true_wanted = (true_wanted + 1) % 8;
                 kept = false; early = 0
             }
          :: else -> skip
          fi
       :: n == (wanted + 1) % M -> d_step { kept = true; early = v }
       :: else -> skip
       fi;
       acks!n;
       d_step { n = 0; v = 0 }
    od
}

active proctype Loss() {
end:
    do
    :: frames?_, _
    :: acks?_
    od
}
