//@ about: mutual exclusion of three processes in two rounds, under weak fairness
//@ source: G. L. Peterson, Myths about the mutual exclusion problem, 1981
//@ option fair
//@ limit states=20000
//@ expect assert: proved
//@ expect deadlock: proved
//@ expect livelock: proved
//@ expect ltl:enters: proved
#define N 3
byte level[N], last[N];
byte inside;

active [N] proctype Process() {
    byte round, other;
    do
    :: for (round : 1 .. N - 1) {
           level[_pid] = round;
           last[round] = _pid;
           other = 0;
           do
           :: other < N ->
              if
              :: other == _pid || level[other] < round || last[round] != _pid -> other++
              :: else -> other = 0
              fi
           :: other == N -> break
           od
       };
       inside++;
critical:
       assert(inside == 1);
progress:
       inside--;
       level[_pid] = 0
    od
}

ltl enters { [] (level[0] > 0 -> <> Process[0]@critical) }
