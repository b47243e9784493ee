//@ about: else as the first statement of a deterministic sequence waits for the options before it
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
//@ expect ltl:waits: proved
byte x = 1, turns;
bool done;

ltl waits { [] !done }

active proctype P() {
    if
    :: x == 1 -> skip
    :: d_step { else -> assert(false) }
    fi;
    do
    :: x == 1 -> turns = (turns + 1) % 3
    :: d_step { else -> done = true }
    :: turns == 2 -> break
    od;
    if
    :: x == 1 -> skip
    :: atomic { d_step { else -> assert(false) } }
    fi;
    if
    :: x == 1 -> skip
    :: d_step { { else -> assert(false) } }
    fi
}
