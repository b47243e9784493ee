//@ about: the first reader counts himself before he has the room
//@ source: P. J. Courtois, F. Heymans and D. L. Parnas, Concurrent control with readers and writers, 1971
//@ expect assert: violated !explore
//@ note: the mistake: the counter is not protected, so two readers may both think that they are not the first
bool room = true;
byte count, reading, writing;

inline wait(semaphore) { atomic { semaphore -> semaphore = false } }

active [2] proctype Reader() {
    do
    :: count++;
       if
       :: count == 1 -> wait(room)
       :: count > 1 -> skip
       fi;
       reading++;
       assert(writing == 0);
       reading--;
       count--;
       if
       :: count == 0 -> room = true
       :: count > 0 -> skip
       fi
    od
}

active proctype Writer() {
    do
    :: wait(room);
       writing++;
       writing--;
       room = true
    od
}
