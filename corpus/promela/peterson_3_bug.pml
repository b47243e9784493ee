//@ about: three processes that use the algorithm for two
//@ source: G. L. Peterson, Myths about the mutual exclusion problem, 1981
//@ expect assert: violated !explore
//@ note: the mistake: one round is not enough for three
#define N 3
byte level[N], last[N];
byte inside;

active [N] proctype Process() {
    byte round, other;
    do
    :: for (round : 1 .. N - 2) {
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
       assert(inside == 1);
       inside--;
       level[_pid] = 0
    od
}
