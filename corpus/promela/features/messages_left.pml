//@ about: messages that nobody takes are no deadlock when every process has come to its end
//@ source: written for this corpus
//@ expect deadlock: proved !explore
chan q = [2] of { byte };

active proctype P() {
    q!1;
    q!2
}
