//@ about: a claim about the contents of a channel
//@ source: written for this corpus
//@ expect deadlock: proved !explore
//@ expect ltl:never: violated
chan q = [2] of { byte };

active proctype P() {
    q!1;
    q!2
}

never {
    do
    :: len(q) == 2 && q??[2] -> break
    :: else
    od
}
