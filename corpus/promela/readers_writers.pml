//@ about: many may read at a time, one may write alone
//@ source: P. J. Courtois, F. Heymans and D. L. Parnas, Concurrent control with readers and writers, 1971
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
//@ expect livelock: proved
//@ expect ltl:apart: proved
//@ expect ltl:written: violated
//@ note: readers who follow each other keep the writers out for ever
bool room = true, mutex = true;
byte count, reading, writing;

inline wait(semaphore) { atomic { semaphore -> semaphore = false } }
inline signal(semaphore) { semaphore = true }

active [2] proctype Reader() {
    do
    :: wait(mutex);
       count++;
       if
       :: count == 1 -> wait(room)
       :: else -> skip
       fi;
       signal(mutex);
       reading++;
       assert(writing == 0);
progress_read:
       reading--;
       wait(mutex);
       count--;
       if
       :: count == 0 -> signal(room)
       :: else -> skip
       fi;
       signal(mutex)
    od
}

active [2] proctype Writer() {
    do
    :: wait(room);
       writing++;
       assert(writing == 1 && reading == 0);
progress_written:
       writing--;
       signal(room)
    od
}

ltl apart { [] !(reading > 0 && writing > 0) }
ltl written { <> (writing == 1) }
