//@ about: an array of channels, one for each process
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
#define N 3
chan link[N] = [1] of { byte };

active [N] proctype Node() {
    byte v;
    if
    :: _pid == 0 -> link[1]!1; link[0]?v; assert(v == N)
    :: else -> link[_pid]?v; assert(v == _pid); link[(_pid + 1) % N]!v + 1
    fi
}
