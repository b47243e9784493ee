//@ about: an order of sends that must not happen, and can
//@ source: written for this corpus
//@ expect assert: violated !explore
mtype = { open, close };
chan door = [2] of { mtype };

active proctype P() {
    door!open;
    door!close;
    if
    :: door!open
    :: door!close
    fi
}

active proctype Q() {
end:
    do
    :: door?_
    od
}

notrace {
    door!open; door!close; door!close
}
