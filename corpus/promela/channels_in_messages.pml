//@ about: channels and symbolic names in messages
//@ source: written for this corpus
//@ expect deadlock: proved !explore
mtype:a = { r, s }; mtype = { m1, m2 }; mtype = { m3 };
chan q[2] = [2] of { mtype, chan };
hidden byte h;
byte cnt;
active proctype A() { q[0]!m1(q[1]); q[1]!!m3(q[0]); q[0]!m2(q[0]) }
active proctype B() { chan k; mtype m; do :: q[0]?m,k -> k!m1,k; cnt++ :: q[1]??m1,k -> cnt = cnt + 2 :: len(q[1]) > 0 && cnt > 2 -> break od }
