// Two-phase commit with a vote timeout; transactions repeat and carry a one-bit tag; the twin of `tpc`.
event ePrepare: int;
event eYes: int;
event eNo: int;
event eCommit: int;
event eAbort: int;
event eAck;

machine Main {
    var parts: seq[machine];
    var tag: int;
    var count: int;
    var aborting: bool;

    start state Init {
        entry {
            var i: int;
            while (i < N) {
                parts += (i, new Part(this));
                i = i + 1;
            }
            goto Preparing;
        }
    }

    state Preparing {
        entry {
            var i: int;
            while (i < N) {
                send parts[i], ePrepare, tag;
                i = i + 1;
            }
            count = 0;
            goto Voting;
        }
    }

    state Voting {
        entry { if ($) { Decide(true); } }
        on eYes do (vote: int) {
            if (vote == tag) {
                count = count + 1;
                if (count == N) { Decide(false); }
                if ($) { Decide(true); }
            }
        }
        on eNo do (vote: int) { if (vote == tag) { Decide(true); } }
        ignore eAck;
    }

    state Deciding {
        entry {
            var i: int;
            while (i < N) {
                if (aborting) {
                    send parts[i], eAbort, tag;
                } else {
                    send parts[i], eCommit, tag;
                }
                i = i + 1;
            }
            count = 0;
            goto Ending;
        }
    }

    state Ending {
        ignore eYes, eNo;
        on eAck do {
            count = count + 1;
            if (count == N) {
                tag = 1 - tag;
                goto Preparing;
            }
        }
    }

    fun Decide(abort: bool) {
        aborting = abort;
        goto Deciding;
    }
}

machine Part {
    var coordinator: machine;

    start state Init {
        entry (from: machine) {
            coordinator = from;
            goto Idle;
        }
    }

    state Idle {
        on ePrepare do (tag: int) {
            if ($) {
                send coordinator, eYes, tag;
            } else {
                send coordinator, eNo, tag;
            }
        }
        on eCommit do (tag: int) { send coordinator, eAck; }
        on eAbort do (tag: int) { send coordinator, eAck; }
    }
}
