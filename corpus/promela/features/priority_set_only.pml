//@ about: priorities are used as soon as one is set, also if nobody asks for them
//@ source: written for this corpus
//@ expect assert: proved
//@ expect deadlock: proved
active proctype P() {
    if
    :: set_priority(_pid, 1)
    :: skip
    fi
}
