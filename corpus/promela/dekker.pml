//@ about: mutual exclusion of two processes that only read and write
//@ source: E. W. Dijkstra, Cooperating sequential processes, 1965; the solution is due to T. J. Dekker
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
//@ expect ltl:exclusive: proved
//@ expect ltl:enters: violated
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

ltl exclusive { [] !(Process[0]@critical && Process[1]@critical) }
ltl enters { [] (want[0] -> <> Process[0]@critical) }
