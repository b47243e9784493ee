//@ about: formulas in formulas, with implication, equivalence and macros
//@ source: written for this corpus
//@ expect deadlock: proved !explore
//@ expect ltl:order: proved
//@ expect ltl:both: proved
//@ expect ltl:same: violated
#define asked (a == 1)
#define given (b == 1)
bit a, b;

active proctype Asker() {
    do
    :: atomic { !a && !b -> a = 1 }
    od
}

active proctype Giver() {
    do
    :: a && !b -> b = 1
    :: atomic { a && b -> a = 0 }
    :: !a && b -> b = 0
    od
}

ltl order { [] (asked -> (asked U given)) }
ltl both { ([] <> asked) -> ([] <> given && [] <> !asked) }
ltl same { [] (asked <-> given) }
