//@ about: records and bits in messages and variables
//@ source: written for this corpus
//@ expect assert: proved !explore
//@ expect deadlock: proved !explore
typedef M { byte a; bit b; };
typedef R { M m[2]; short z };
chan q = [2] of { M };
chan o = [1] of { bit };
chan t = [1] of { bit, byte };
R r;
active proctype P() { M m; m.a = 3; m.b = 1; q!m; r.m[1].a = 4; r.z = -1; q!m; o!2; t!2,300 }
active proctype Q() { M n; byte v, w; q?n; r.m[0].b = n.b; q?n; o?v; t?v,w; assert(v == 0 && w == 44) }
