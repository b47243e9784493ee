//@ about: nobody shakes hands with himself
//@ source: written for this corpus
//@ expect deadlock: violated !explore
chan c = [0] of { byte };

active proctype P() {
    byte x;
    if
    :: c!1
    :: c?x
    fi
}
