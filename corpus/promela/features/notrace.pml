//@ about: an order of sends that must not happen, and does not
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
mtype = { open, close };
chan door = [2] of { mtype };

active proctype P() {
    door!open;
    door!close;
    door!open;
    door!close
}

active proctype Q() {
end:
    do
    :: door?_
    od
}

notrace {
    do
    :: door!close; door!close; break
    :: door!open
    od
}
