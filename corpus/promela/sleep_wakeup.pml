//@ about: a process sleeps until there is something to do, and is woken up; both hold a lock
//@ source: R. Pike, D. Presotto, K. Thompson and G. Holzmann, Process sleep and wakeup on a shared-memory multiprocessor, 1991
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
//@ expect livelock: proved
//@ expect ltl:served: proved
mtype = { running, sleeping };
mtype state = running;
bool lock, wanted;
byte jobs;

inline acquire() { atomic { !lock -> lock = true } }
inline release() { lock = false }

active proctype Client() {
    do
    :: acquire();
       if
       :: jobs == 0 ->
          wanted = true;
          state = sleeping;
          release();
          (state == running)
       :: else -> release()
       fi;
       assert(jobs > 0);
progress:
       jobs--
    od
}

active proctype Server() {
    do
    :: jobs < 2 ->
       acquire();
       jobs++;
       if
       :: wanted ->
          wanted = false;
          assert(state == sleeping);
          state = running
       :: else -> skip
       fi;
       release()
    od
}

ltl served { [] (state == sleeping -> <> (state == running)) }
