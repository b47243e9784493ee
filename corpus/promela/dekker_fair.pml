//@ about: mutual exclusion of two processes that only read and write, under weak fairness
//@ source: E. W. Dijkstra, Cooperating sequential processes, 1965; the solution is due to T. J. Dekker
//@ option fair
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
//@ expect ltl:enters: proved
bool want[2];
byte turn, inside;

active [2] proctype Process() {
    do
    :: want[_pid] = true;
       do
       :: want[1 - _pid] ->
          if
          :: turn == 1 - _pid ->
             want[_pid] = false;
             (turn == _pid);
             want[_pid] = true
          :: turn == _pid -> skip
          fi
       :: !want[1 - _pid] -> break
       od;
       inside++;
critical:
       assert(inside == 1);
       inside--;
       turn = 1 - _pid;
       want[_pid] = false
    od
}

ltl enters { [] (want[0] -> <> Process[0]@critical) }
