//@ about: four philosophers who all take the left fork first
//@ source: E. W. Dijkstra, Hierarchical ordering of sequential processes, 1971
//@ expect deadlock: violated !explore
//@ note: the mistake: each holds one fork and waits for the next
#define N 4
bool taken[N];

inline take(fork) { atomic { !taken[fork] -> taken[fork] = true } }

active [N] proctype Philosopher() {
    do
    :: take(_pid);
       take((_pid + 1) % N);
       taken[_pid] = false;
       taken[(_pid + 1) % N] = false
    od
}
