//@ about: a token for mutual exclusion that requests find by turning round a tree
//@ source: M. L. Neilsen and M. Mizuno, A DAG-based algorithm for distributed mutual exclusion, 1991
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
//@ expect livelock: proved
//@ expect ltl:exclusive: proved
#define N 4
#define NONE 9
mtype = { request, token };
chan ask[N] = [N] of { mtype, byte, byte };
chan hand[N] = [1] of { mtype };
byte parent[N] = NONE, deferred[N] = NONE;
bool holding[N];
byte inside;

proctype Main(byte me) {
    do
    :: atomic {
           if
           :: holding[me] -> holding[me] = false
           :: else -> ask[parent[me]]!request(me, me); parent[me] = NONE; hand[me]?token
           fi
       };
       inside++;
critical:
       assert(inside == 1);
       inside--;
progress:
       atomic {
           if
           :: deferred[me] != NONE -> hand[deferred[me]]!token; deferred[me] = NONE
           :: else -> holding[me] = true
           fi
       }
    od
}

proctype Listener(byte me) {
    byte from, who;
end:
    do
    :: atomic {
           ask[me]?request(from, who) ->
           if
           :: parent[me] == NONE && holding[me] -> hand[who]!token; holding[me] = false
           :: parent[me] == NONE && !holding[me] -> deferred[me] = who
           :: else -> ask[parent[me]]!request(me, who)
           fi;
           parent[me] = from;
           from = 0; who = 0
       }
    od
}

init {
    byte i;
    atomic {
        holding[0] = true;
        for (i : 1 .. N - 1) {
            parent[i] = (i - 1) / 2
        }
        for (i : 0 .. N - 1) {
            run Main(i);
            run Listener(i)
        }
    }
}

ltl exclusive { [] (inside <= 1) }
