//@ about: two producers and two consumers share a ring of places, guarded by three semaphores
//@ source: E. W. Dijkstra, Cooperating sequential processes, 1965
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
//@ expect livelock: proved
#define SIZE 2
byte buffer[SIZE];
byte first, next;
byte free = SIZE, filled;
bool mutex = true;

inline down(s) { atomic { s > 0 -> s-- } }
inline up(s) { s++ }

active [2] proctype Producer() {
    do
    :: down(free);
       down(mutex);
       assert(buffer[next] == 0);
       buffer[next] = _pid + 1;
       next = (next + 1) % SIZE;
       up(mutex);
       up(filled)
    od
}

active [2] proctype Consumer() {
    do
    :: down(filled);
       down(mutex);
       assert(buffer[first] != 0);
progress:
       buffer[first] = 0;
       first = (first + 1) % SIZE;
       up(mutex);
       up(free)
    od
}
