//@ about: three customers draw numbers and are served in their order
//@ source: L. Lamport, A new solution of Dijkstra's concurrent programming problem, 1974
//@ limit states=20000
//@ expect assert: proved
//@ expect deadlock: proved
//@ expect ltl:exclusive: proved
//@ note: each customer comes once, so numbers stay small
#define N 3
bool choosing[N];
byte number[N];
byte inside;

active [N] proctype Customer() {
    byte i, most;
    choosing[_pid] = true;
    for (i : 0 .. N - 1) {
        most = (number[i] > most -> number[i] : most)
    };
    number[_pid] = most + 1;
    choosing[_pid] = false;
    for (i : 0 .. N - 1) {
        !choosing[i];
        (number[i] == 0 || number[i] > number[_pid] || (number[i] == number[_pid] && i >= _pid))
    };
    inside++;
    assert(inside == 1);
    inside--;
    number[_pid] = 0
}

ltl exclusive { [] (inside <= 1) }
