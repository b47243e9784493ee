//@ about: customers who do not say that they are drawing a number
//@ source: L. Lamport, A new solution of Dijkstra's concurrent programming problem, 1974
//@ expect assert: violated !explore
//@ note: the mistake: two draw the same number, and the one with the smaller name comes late
#define N 2
byte number[N];
byte inside;

active [N] proctype Customer() {
    byte i, most;
    for (i : 0 .. N - 1) {
        most = (number[i] > most -> number[i] : most)
    };
    number[_pid] = most + 1;
    for (i : 0 .. N - 1) {
        (number[i] == 0 || number[i] > number[_pid] || (number[i] == number[_pid] && i >= _pid))
    };
    inside++;
    assert(inside == 1);
    inside--;
    number[_pid] = 0
}
