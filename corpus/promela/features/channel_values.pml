//@ about: channels in variables: assigned, compared, and used under another name
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
chan a = [1] of { byte };
chan b = [1] of { byte };
chan other;

active proctype P() {
    byte v;
    other = a;
    assert(other == a && other != b);
    other!5;
    assert(len(a) == 1 && len(b) == 0);
    other = b;
    other!6;
    a?v;
    assert(v == 5);
    b?v;
    assert(v == 6)
}
