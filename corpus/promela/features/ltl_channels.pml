//@ about: formulas about the contents of channels
//@ source: written for this corpus
//@ expect deadlock: proved !explore
//@ expect ltl:fits: proved
//@ expect ltl:drained: proved
//@ expect ltl:never_full: violated
//@ expect ltl:polled: violated
chan q = [2] of { byte };

active proctype Sender() {
    q!1; q!2; q!3
}

active proctype Receiver() {
end:
    do
    :: q?_
    od
}

ltl fits { [] (len(q) <= 2) }
ltl drained { [] (len(q) == 2 -> <> (len(q) == 0)) }
ltl never_full { [] (len(q) < 2) }
ltl polled { [] !(q?[2]) }
