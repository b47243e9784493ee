//@ about: a chain of processes that sorts numbers, built by recursion
//@ source: the sorting pipeline of C. A. R. Hoare, Communicating sequential processes, 1978, in spirit
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
#define N 3
byte sorted[N];

proctype Cell(chan in; byte left) {
    chan out = [1] of { byte };
    byte keep, v, i;
    in?keep;
    if
    :: left > 1 -> run Cell(out, left - 1)
    :: else -> skip
    fi;
    for (i : 2 .. left) {
        in?v;
        if
        :: v > keep -> out!v
        :: else -> out!keep; keep = v
        fi
    };
    sorted[N - left] = keep
}

init {
    chan first = [1] of { byte };
    run Cell(first, N);
    first!30;
    first!10;
    first!20;
    (_nr_pr == 1);
    assert(sorted[0] == 10 && sorted[1] == 20 && sorted[2] == 30)
}
