//@ about: a deterministic sequence that begins with a receive waits there, and nowhere else
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
chan q = [2] of { byte };
byte sum, last;

active proctype Sender() {
    q!1; q!2; q!3
}

active proctype Receiver() {
    byte v;
end:
    do
    :: d_step { q?v -> sum = sum + v; last = v; v = 0 }
    od
}

active proctype Watch() {
    (last == 3);
    assert(sum == 6)
}
