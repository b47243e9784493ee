//@ about: two processes that say what they want and wait for each other
//@ source: E. W. Dijkstra, Cooperating sequential processes, 1965
//@ expect assert: proved !explore
//@ expect deadlock: violated !explore
//@ note: the mistake: nobody gives way
bool want[2];
byte inside;

active [2] proctype Process() {
    do
    :: want[_pid] = true;
       !want[1 - _pid];
       inside++;
       assert(inside == 1);
       inside--;
       want[_pid] = false
    od
}
