//@ about: a process goes to sleep after it was to be woken up
//@ source: R. Pike, D. Presotto, K. Thompson and G. Holzmann, Process sleep and wakeup on a shared-memory multiprocessor, 1991
//@ expect deadlock: violated !explore
//@ note: the mistake: nobody holds a lock between the look at the jobs and the sleep
mtype = { running, sleeping };
mtype state = running;
byte jobs;

active proctype Client() {
    do
    :: if
       :: jobs == 0 -> state = sleeping; (state == running)
       :: jobs > 0 -> jobs--
       fi
    od
}

active proctype Server() {
    do
    :: jobs < 2 -> jobs++; state = running
    od
}
