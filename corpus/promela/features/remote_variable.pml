//@ about: local variables of other processes in a formula
//@ source: written for this corpus
//@ expect deadlock: proved !explore
//@ expect ltl:close: proved
//@ expect ltl:equal: violated
byte turn;

active [2] proctype P() {
    byte n;
end:
    do
    :: atomic { turn == _pid && n < 3 -> n++; turn = 1 - turn }
    od
}

ltl close { [] (P[0]:n - P[1]:n <= 1 && P[0]:n >= P[1]:n) }
ltl equal { [] (P[0]:n == P[1]:n) }
