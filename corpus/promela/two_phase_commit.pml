//@ about: a coordinator asks three participants, and all commit or all abort
//@ source: J. Gray, Notes on data base operating systems, 1978
//@ limit states=20000
//@ expect assert: proved
//@ expect deadlock: proved
//@ expect ltl:agree: proved
//@ expect ltl:decided: proved
//@ note: the coordinator may lose patience and abort before all votes are there
#define N 3
mtype = { prepare, yes, no, commit, abort };
chan to[N] = [2] of { mtype };
chan votes = [N] of { mtype };
byte committed, aborted;

active [N] proctype Participant() {
    to[_pid]?prepare;
    if
    :: votes!yes;
       if
       :: to[_pid]?commit -> committed++
       :: to[_pid]?abort -> aborted++
       fi
    :: votes!no; aborted++
    fi;
    assert(committed == 0 || aborted == 0)
}

active proctype Coordinator() {
    byte i, n;
    mtype vote, decision = commit;
    for (i : 0 .. N - 1) {
        to[i]!prepare
    };
    do
    :: n < N && decision == commit -> votes?vote; n++; decision = (vote == no -> abort : commit)
    :: n < N && decision == commit -> decision = abort
    :: n == N || decision == abort -> break
    od;
    for (i : 0 .. N - 1) {
        to[i]!decision
    }
}

ltl agree { [] !(committed > 0 && aborted > 0) }
ltl decided { <> (committed == N || aborted == N) }
