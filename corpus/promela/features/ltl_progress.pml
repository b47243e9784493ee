//@ about: progress, the last step and being able to move, in formulas
//@ source: written for this corpus
//@ expect deadlock: proved !explore
//@ expect livelock: violated
//@ expect ltl:progress_again: violated
//@ expect ltl:turns: violated
bool x;

active proctype P() {
    do
    :: x = !x
    :: x ->
progress:
       x = false
    od
}

active proctype Q() {
    do
    :: !x -> x = true
    od
}

ltl progress_again { [] <> !np_ }
ltl turns { [] <> (_last == 1) }
