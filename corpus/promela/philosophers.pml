//@ about: four philosophers, one of whom takes the right fork first
//@ source: E. W. Dijkstra, Hierarchical ordering of sequential processes, 1971
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
//@ expect livelock: proved
//@ expect ltl:first_eats: violated
//@ note: nobody starves by waiting for each other, but one may be passed over for ever
#define N 4
#define LEFT _pid
#define RIGHT ((_pid + 1) % N)
bool taken[N];
byte eating;

inline take(fork) { atomic { !taken[fork] -> taken[fork] = true } }

active [N] proctype Philosopher() {
    do
    :: if
       :: _pid == 0 -> take(RIGHT); take(LEFT)
       :: else -> take(LEFT); take(RIGHT)
       fi;
       eating++;
eats:
       assert(eating <= N / 2);
progress:
       eating--;
       taken[LEFT] = false;
       taken[RIGHT] = false
    od
}

ltl first_eats { <> Philosopher[0]@eats }
