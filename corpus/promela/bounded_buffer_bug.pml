//@ about: producers and consumers who take the ring before they know that there is room
//@ source: E. W. Dijkstra, Cooperating sequential processes, 1965
//@ expect deadlock: violated !explore
//@ note: the mistake: a producer waits for room while it keeps the consumers out
#define SIZE 2
byte free = SIZE, filled;
bool mutex = true;

inline down(s) { atomic { s > 0 -> s-- } }
inline up(s) { s++ }

active [2] proctype Producer() {
    do
    :: down(mutex);
       down(free);
       up(mutex);
       up(filled)
    od
}

active [2] proctype Consumer() {
    do
    :: down(filled);
       down(mutex);
       up(mutex);
       up(free)
    od
}
