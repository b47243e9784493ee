//@ about: work spreads with shares of a credit; when all of the credit has come back, no work is left
//@ source: F. Mattern, Global quiescence detection based on credit distribution and recovery, 1989
//@ limit states=20000
//@ expect assert: proved
//@ expect deadlock: proved
//@ expect livelock: proved
//@ expect ltl:ends: violated
//@ expect ltl:right: proved
//@ note: workers may give each other work for ever
#define N 3
#define ALL 6
mtype = { work, credit };
chan box[N] = [3] of { mtype, byte };
chan home = [3] of { mtype, byte };
byte busy, under_way;
bool over;

active [N] proctype Worker() {
    byte share, n;
end:
    do
    :: box[_pid]?work(n) ->
progress:
       atomic {
           under_way--;
           busy = busy + (share == 0 -> 1 : 0);
           share = share + n; n = 0
       }
    :: atomic { share > 1 -> under_way++; box[(_pid + 1) % N]!work(share / 2); share = share - share / 2 }
    :: atomic { share > 1 -> under_way++; box[(_pid + 2) % N]!work(1); share-- }
    :: atomic {
           share > 0 && nfull(home) ->
           busy--;
           home!credit(share);
           share = 0
       }
    od
}

active proctype Environment() {
    byte back, n;
    atomic { under_way++; box[0]!work(ALL) };
    do
    :: back < ALL -> home?credit(n); back = back + n; n = 0
    :: back == ALL -> break
    od;
    assert(busy == 0 && under_way == 0);
    over = true
}

ltl ends { <> over }
ltl right { [] (over -> busy == 0 && under_way == 0) }
