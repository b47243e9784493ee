//@ about: a send to a channel variable that holds no channel
//@ source: written for this corpus
//@ expect assert: violated !explore
chan some = [1] of { byte };
chan none;

active proctype P() {
    if
    :: none!1
    :: none == some -> none = some
    fi
}
