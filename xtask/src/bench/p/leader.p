// Leader election in a one-way ring, after Dolev, Klawe, Rodeh and Peterson; the twin of `leader`.
event eNext: machine;
event eOne: int;
event eTwo: int;
event eWin: int;

machine Main {
    start state Init {
        entry {
            var nodes: seq[machine];
            var i: int;
            while (i < N) {
                nodes += (i, new Node(i + 1));
                i = i + 1;
            }
            i = 0;
            while (i < N) {
                send nodes[i], eNext, nodes[(i + 1) % N];
                i = i + 1;
            }
        }
    }
}

machine Node {
    var next: machine;
    var mine: int;
    var left: int;

    start state Waiting {
        entry (own: int) { mine = own; }
        defer eOne, eTwo, eWin;
        on eNext do (payload: machine) {
            next = payload;
            goto Active;
        }
    }

    state Active {
        entry { send next, eOne, mine; }
        on eOne do (value: int) {
            if (value == mine) {
                goto Leading;
            }
            left = value;
            send next, eTwo, left;
            goto Comparing;
        }
    }

    state Comparing {
        on eTwo do (value: int) {
            if (left > value && left > mine) {
                mine = left;
                goto Active;
            }
            goto Passive;
        }
    }

    state Passive {
        on eOne do (value: int) { send next, eOne, value; }
        on eTwo do (value: int) { send next, eTwo, value; }
        on eWin do (value: int) {
            send next, eWin, value;
            goto Done;
        }
    }

    state Leading {
        entry { send next, eWin, mine; }
        on eWin goto Done;
    }

    state Done { }
}
