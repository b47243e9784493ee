//! Small models, each about one construct, with what SPIN 6.5.2 finds.

/// A name, a model, how many states SPIN stores without merging and reductions, and whether it finds an error.
pub(crate) const TEXTS: &[(&str, &str, usize, bool)] = &[
    (
        "d_step takes the first option",
        "byte x, y;
active proctype P() { d_step { x = 1; do :: x < 5 -> x++ :: x == 3 -> y = 9 :: else -> break od; if :: x == 5 -> y = 1 :: else -> y = 2 fi }; y = 7; x = 0 }
active proctype Q() { do :: d_step { x > 2 -> x--; y = 3 } :: y == 1 -> break :: y == 3 -> break od }",
        42,
        true,
    ),
    (
        "d_step that blocks",
        "byte x;
active proctype P() { d_step { x = 1; x == 2; x = 3 } }
active proctype Q() { x = 5 }",
        3,
        true,
    ),
    (
        "unless on a guard",
        "byte x, y;
active proctype P() { do :: { x < 3 -> x++; y = x } unless { y == 2 -> x = 0; break } :: else -> break od }
active proctype Q() { y = 2; y = 0 }",
        65,
        false,
    ),
    (
        "unless inside of atomic",
        "byte x, y;
active proctype P() { atomic { { x = 1; x = 2; y = 1; x = 3 } unless { y == 1 -> x = 9 } }; x = 4 }
active proctype Q() { x = 7; y = 0; x = 8 }",
        35,
        false,
    ),
    (
        "unless with an atomic escape",
        "byte x, y;
active proctype P() { { x = 1; if :: x == 1 -> x = 2 :: y == 1 -> x = 3 :: else -> x = 4 fi; do :: x < 6 -> x++ :: else -> goto out od } unless { atomic { y == 2 -> x = 20; y = 0 }; x = 21 }; out: x = 30 }
active proctype Q() { y = 1; y = 2; y = 3 }",
        82,
        false,
    ),
    (
        "channels of a process that live long enough",
        "byte n; chan c = [1] of {chan};
proctype R(byte i; chan back) { chan mine = [1] of {byte}; byte v; c!mine; mine?v; back!v; n = v }
init { chan b = [2] of {byte}; chan k; byte v; pid p; p = run R(3, b); c?k; k!p; b?v; n = n + v; (_nr_pr == 1); n = k }",
        21,
        false,
    ),
    (
        "timeout beside atomic",
        "byte x; chan q = [1] of {byte};
active proctype P() { do :: timeout -> atomic { x < 3 -> x++; q!x; q?x } :: q!1 -> q?_ ; break od }
active proctype Q() { atomic { x = 1; x == 3; x = 0 }; timeout; x = 9 }",
        6,
        true,
    ),
    (
        "provided and a handshake",
        "byte t; byte x; chan q = [0] of {byte};
active proctype P() provided (t == 0) { atomic { x = 1; q!2; x = 3 }; x = 4 }
active proctype Q() provided (t < 2) { byte v; atomic { q?v; t = 1; x = v }; t = 0; t = 2 }",
        8,
        true,
    ),
    (
        "channels in records",
        "typedef S { chan c = [1] of {byte}; byte v[2] = 4; bit f };
S s[2]; byte x;
active proctype P() { s[1].c!3; s[0].c!4; s[1].v[1] = 300; s[0].f = 3; if :: s[1].c?x :: s[0].c?x fi; x = s[1].v[1] + s[0].v[0] }",
        11,
        false,
    ),
    (
        "declarations behind statements",
        "byte x;
active proctype P() { x = 1; byte a[3] = 5; a[1] = x; x = a[0] + a[2]; do :: x < 20 -> int z = x; z++; x = z + 4; short w :: else -> break od }",
        22,
        false,
    ),
    (
        "widths and operators",
        "mtype = {a,b,c}; mtype:fruit = {apple, pear}; unsigned u : 3 = 6; short s = 32767; int i; byte bb; bit bt; mtype:fruit f = pear;
active proctype P() { u = u + 5; s++; i = 2147483647; i++; bb = -1; bt = 6; bb = bb << 3; i = i >> 4; i = -7 / 2; i = -7 % 3; f = apple; bb = f + a; i = ~bb; i = (bb > 3 -> 100 : 200) }",
        16,
        false,
    ),
    (
        "random and sorted messages",
        "mtype = {m1,m2,m3}; chan q = [4] of {mtype, byte, byte}; byte x, y; 
active proctype P() { q!!m2,3,1; q!!m1,5,2; q!!m2,1,9; q!!m3,0,0; }
active proctype Q() { x = 3; q??m2,eval(x),y; q?<_,x,y>; q??<m2,x,_>; if :: q??[m1,_,_] -> q?_,_,x :: q?[m3,0,_] -> x = 77 fi; do :: q?_,x,y :: empty(q) -> break od }",
        60,
        false,
    ),
    (
        "inlines with labels and select",
        "byte a[4]; byte s;
inline add(v, k) { byte t; t = v; select(k : 0 .. 2); if :: t > 1 -> s = s + t + k :: else -> goto skp fi; s++; skp: s = s + 0 }
active proctype P() { byte i, j; for (i in a) { a[i] = i; add(i, j) } for (i : 1 .. 2) { if :: a[i] == 1 -> break :: else fi; s++ } }",
        209,
        false,
    ),
    (
        "processes created and ended in atomic",
        "byte x;
proctype A() { atomic { x++; x++ } }
proctype B() { x = 1; atomic { x = 2; run A(); x = 3 } }
init { atomic { run A(); run B() }; atomic { _nr_pr == 1 -> x = 9; goto e }; x = 8; e: atomic { x = 10 } }",
        23,
        false,
    ),
    (
        "atomic and d_step as options",
        "byte x, y;
active proctype P() { do :: atomic { x < 2 -> x++; y = 0 } :: d_step { y < 2 -> y++; x = x } :: x == 2 && y == 2 -> break :: else -> x = 0 od }
active proctype Q() { if :: if :: x == 1 -> y = 5 :: y == 1 fi :: x == 2 -> x = 7 :: else -> skip fi }",
        74,
        false,
    ),
    (
        "else beside a handshake",
        "chan q = [0] of {byte}; byte x;
active proctype P() { do :: q!1 :: q?x :: else -> break od }
active proctype Q() { do :: q!2 :: q?x -> x = 0 :: x == 2 -> break od }",
        10,
        true,
    ),
    (
        "handshakes out of atomic",
        "chan q = [0] of {byte, byte}; byte x, y;
active [2] proctype P() { atomic { q!_pid, 1; x = _pid; q!_pid, 2 } }
active proctype Q() { byte a, b; atomic { q?a, b; y = b; q?a, b; y = b }; do :: q?a, b -> y = b od }",
        29,
        true,
    ),
    (
        "priorities",
        "byte x;
active proctype P() priority 3 { x = 1; if :: x == 5 -> x = 6 :: x == 7 fi; x = 8 }
active proctype Q() priority 1 { x = 2; x = 5; x = 7; x = 3 }
active proctype R() { x = 4; set_priority(1, 4); x = 9 }",
        40,
        true,
    ),
    (
        "labels of another process",
        "byte x, c;
active proctype P() { L: x = 1; atomic { x = 2; M: x = 3 }; N: do :: x = 4; break :: x = 5 od; O: skip }
active proctype Q() { do :: P@L -> c = 1 :: P@N -> c = 2; break :: P@O -> c = 3; break :: !P@L && c < 5 -> c = 6 od }",
        71,
        true,
    ),
    (
        "questions about channels",
        "byte x; chan q = [2] of {byte}; chan z = [0] of {byte};
active proctype P() { xr q; xs z; byte v; q?v; z!v; if :: full(q) -> x = 1 :: nfull(q) -> x = 2 fi; if :: nempty(q) -> x = 3 :: empty(q) -> x = 4 fi; x = len(z); if :: full(z) -> x = 20 :: nfull(z) -> x = 21 fi }
active proctype Q() { byte v; q!1; q!2; q!3; z?v }",
        23,
        false,
    ),
    (
        "recursion",
        "byte x;
proctype C(byte d) { if :: d > 0 -> run C(d-1); run C(d-1) :: else fi; x = d }
init { run C(2) }",
        8542,
        false,
    ),
    (
        "timeout as an escape",
        "byte x; chan q = [1] of { byte };
active proctype P() { { do :: q?x -> if :: x == 2 -> break :: else fi od } unless { timeout -> x = 50 } }
active proctype Q() { q!1; q!3 }",
        15,
        false,
    ),
    (
        "nested unless",
        "byte x, y;
active proctype P() { { { x = 1; y++ ; x = 2 } unless { y == 3 -> x = 5; y = 4; x = 6 }; x = 7 } unless { y == 4 -> x = 8 } ; y = 0 }
active proctype Q() { y = 3; y = 4; y = 3 }",
        86,
        false,
    ),
    (
        "handshakes in body and escape",
        "byte x; chan q = [0] of {byte};
active proctype P() { { x = 1; q?x; x = 3 } unless { q!9 -> x = x + 10 } }
active proctype Q() { byte v; do :: q!4 :: q?v -> break od }",
        6,
        false,
    ),
    (
        "d_step as an option",
        "byte x;
active proctype P() { x = 1; d_step { skip; x = 2 }; d_step { x == 3 -> x = 4 } ; if :: d_step { x == 4 -> x = 5 } :: d_step { x == 4; x = 6; x = 7 } fi }
active proctype Q() { x = 3; x = 4 }",
        32,
        true,
    ),
    (
        "choices inside of choices",
        "byte x, y;
active proctype P() { do :: x < 4 -> if :: y == 0 -> x++ :: else -> x = 4 fi :: else -> break od; if :: x == 4 -> do :: y < 2 -> y++ :: else -> break od :: x != 4 fi }
active proctype Q() { atomic { if :: x == 2 -> y = 1 :: else -> skip fi; do :: y < 3 -> y++ :: y > 0 -> break od } }",
        151,
        false,
    ),
    (
        "jump back into atomic",
        "byte x; chan q = [1] of {byte};
active [2] proctype P() { byte i; again: atomic { q!_pid -> i++; x = i; if :: i < 3 -> goto again :: else fi }; q?_ ; q?i }",
        3,
        true,
    ),
    (
        "atomic that can go round",
        "byte x;
active proctype P() { atomic { do :: x < 3 -> x++ :: x == 3 -> x = 0 :: x == 2 -> break od } }
active proctype Q() { x = 2 }",
        7,
        false,
    ),
    (
        "handshakes that pass control on",
        "chan q = [0] of {byte}; chan r = [0] of {byte}; byte x;
active proctype P() { atomic { q!1; x = 1 }; r?x }
active proctype Q() { byte v; atomic { q?v; r!5; x = 9 } }
active proctype R() { byte v; do :: q?v :: r?v :: x == 9 -> break od }",
        17,
        true,
    ),
    (
        "blocks with variables",
        "byte x, y; int z;
active proctype P() { int a[2]; a[0] = 3; a[1] = a[0]; x = a[1]; { byte loc = x; y = loc; byte loc2; y = loc2 }; { byte loc; y = loc }; z = x }
active proctype Q() { x = 2; if :: y > 0 -> z = 1 :: else fi }",
        151,
        false,
    ),
    (
        "constants and eval in receives",
        "mtype = {a,b}; chan q = [3] of {mtype, byte}; byte x;
active proctype P() { q!a(1); q!b(2); q!a,3 }
active proctype Q() { do :: q?a(x) :: q?b,eval(x+1) -> x = 50 :: x == 3 -> break :: timeout -> break od }",
        15,
        false,
    ),
    (
        "labels with a meaning",
        "byte x; bool ok;
active proctype P() { do :: x < 3 -> x++ :: x == 3 -> progress: x = 0; if :: ok -> break :: else fi od; end: ok = 0 }
active proctype Q() { ok = 1; accept_here: skip; end_x: x == 77 }",
        31,
        false,
    ),
    (
        "first values from parameters",
        "byte x;
active proctype P() { int k = 3; byte m = k + 1; x = m; run Q(k, m) }
proctype Q(int a; byte b) { int k = a * b; short s = k; x = s }",
        6,
        false,
    ),
    (
        "arrays of channels",
        "chan c[2] = [1] of {byte}; byte x;
active proctype P() { byte i; do :: i < 2 -> c[i]!i; i++ :: else -> break od; c[1-1]?x; x = len(c[1]) }
active proctype Q() { byte v; c[1]?v; c[0]?<v>; x = v }",
        32,
        true,
    ),
    (
        "unless that is left by a jump",
        "byte x;
active proctype P() { { x = 1; x = 2 } unless { x == 2; x = 3 }; { skip; skip } unless { x == 5 -> goto fin }; x = 4; fin: x = 0 }
active proctype Q() { x = 5; x = 2 }",
        48,
        false,
    ),
    (
        "timeout inside of atomic",
        "byte x; chan q = [1] of {byte};
active proctype P() { do :: atomic { q?x -> x++ } :: atomic { timeout -> break } od }
active proctype Q() { q!4; atomic { q!5; q!6 } ; q!7 }",
        13,
        false,
    ),
    (
        "records in messages",
        "typedef T { byte a; short b }; chan q = [2] of { byte, T, bit }; byte x;
active proctype P() { T u; u.a = 4; u.b = -3; q!1,u,3; u.a = 0; q?x,u,_; x = u.a }",
        8,
        false,
    ),
    (
        "_nr_pr",
        "byte x;
active proctype A() { x++; x++ } 
active proctype B() { byte k = _pid; x = k + _nr_pr }
proctype C() { _nr_pr == 2; x = 9 }
init { run C(); x = 3 }",
        38,
        true,
    ),
    (
        "jumps",
        "byte x;
active proctype P() { x = 1; goto a; b: x = 2; goto c; a: x = 3; goto b; c: if :: goto d :: x = 4 fi; d: do :: x < 6 -> x++; goto d :: else -> goto e od; e: skip }
active proctype Q() { do :: skip -> break :: break od }",
        46,
        false,
    ),
    (
        "_last",
        "byte x, y;
active proctype P() { x = 1; y = _last + 1 }
active proctype Q() { atomic { x = 2; x = 3 }; y = _last }
never { do :: skip od }",
        39,
        false,
    ),
    (
        "jumps that begin blocks",
        "byte x;
active proctype P() { x = 1; { goto L }; x = 2; L: x = 3; atomic { goto M }; x = 4; M: x = 5; { { goto N } }; x = 6; N: { x = 7 }; do :: { break } od; { { goto K } unless { x == 9 } }; K: x = 8 }",
        12,
        false,
    ),
    (
        "jumps that begin processes",
        "byte x;
active proctype P() { goto L; x = 2; L: x = 3 }
active proctype Q() { { goto L }; x = 2; L: x = 3 }
active proctype R() { atomic { goto L }; x = 2; L: x = 3 }
active proctype T() { int k; goto L; x = 2; L: x = 3 }",
        63,
        false,
    ),
    (
        "jumps out of atomic",
        "byte x;
active proctype P() { x=1; do :: x < 3 -> x++; { break } :: x >= 3 -> { x = 7; break } :: goto M od; if :: { { x == 7 } } -> x = 8 :: else fi; M: x = 11; atomic { if :: x == 11 -> goto N :: else -> skip fi; x = 13 }; N: x = 14; atomic { x = 15; goto O }; x = 9; O: atomic { x = 16; do :: break od; x = 17 } }",
        13,
        false,
    ),
    (
        "select as a choice and as a loop",
        "byte x, one_six, abc;
active proctype P() { select(abc: 1 .. 4); select(one_six: 1 .. 4); select (x : 1..2) }",
        113,
        false,
    ),
    (
        "else beside a send",
        "chan q = [0] of {byte}; byte x;
active proctype S() { if :: q!1 -> x = 1 :: else -> x = 2 fi }
active proctype R() { q?_ }",
        6,
        false,
    ),
    (
        "d_step that receives a handshake",
        "chan q = [0] of {byte}; byte x;
active proctype S() { q!1; q!2 }
active proctype R() { byte m; d_step { q?m; x = m }; d_step{ q?m -> x = x + m } }",
        5,
        false,
    ),
    (
        "handshake as an escape",
        "chan q = [0] of {byte}; byte x;
active proctype P() { { x = 1; x = 2; x = 3 } unless { q?x -> x = x + 10 } }
active proctype Q() { q!5; q!6 }",
        6,
        true,
    ),
    (
        "sent handshake as an escape",
        "chan q = [0] of {byte}; byte x;
active proctype P() { { x = 1; x = 2; x = 3 } unless { q!7 -> x = x + 10 } }
active proctype Q() { byte y; y = 1; q?y; x = y }",
        22,
        true,
    ),
    (
        "unless over d_step and atomic",
        "byte x, y;
active proctype P() { { x = 1; d_step { x = 2; x = 3 }; atomic { x = 4; x = 5 }; do :: x < 8 -> x++ :: else -> break od } unless { y == 1 -> x = 100; { x = 101; x = 102 } unless { y == 2 -> x = 200 } } }
active proctype Q() { y = 1; y = 2 }",
        83,
        false,
    ),
    (
        "unless in an unless",
        "byte x, y;
active proctype P() { { { x = 1; x = 2; x = 3 } unless { y >= 1 -> x = 10; x = 11; x = 12 } } unless { y == 2 -> x = 20; x = 21 } ; x = 30 }
active proctype Q() { y = 1; y = 2 }",
        53,
        false,
    ),
    (
        "unless as an option",
        "byte x, y;
active proctype P() { do :: { x==0 -> x=1 } unless { y==1 -> x=5; break } :: x=2 :: x=3 od }
active proctype Q() { y = 1 }",
        26,
        false,
    ),
    (
        "provided",
        "byte turn; byte x;
active proctype P() provided (turn == _pid) { x = 1; turn = 1; x = 2 }
active proctype Q() provided (turn == _pid) { x = 3; turn = 0; x = 4 }",
        6,
        true,
    ),
    (
        "priorities that change",
        "byte x;
proctype L() { x = 1; x = 2; set_priority(0, 5); x = 3 }
active proctype P() priority 2 { byte k; run L() priority 1; x = 10; (x == 2); x = 20; k = get_priority(_pid); set_priority(_pid, 1); x = k }
active proctype Q() priority 2 { x = 30; _priority = 1; x = 31 }",
        45,
        false,
    ),
    (
        "for over messages",
        "typedef M { byte a; byte b }
chan q = [3] of { M }; byte s;
init { M m; m.a = 1; q!m; m.a = 2; m.b = 4; q!m; for (m in q) { s = s + m.a + m.b } for (m in q) { s = s + m.a } }
active proctype E() { byte k; k = 1; k = 2 }",
        121,
        false,
    ),
    (
        "variables of another process",
        "byte x;
active proctype P() { byte v; v = 3; here: v = 4; v = 5 }
active proctype Q() { if :: P@here -> x = 1 :: P[0]:v == 4 -> x = 2 :: P:v == 5 -> x = 3 fi; x = _nr_pr; x = 9 }",
        26,
        false,
    ),
    (
        "enabled",
        "byte x, y;
active proctype P() { x = 1; x == 3; x = 2 }
active proctype Q() { if :: enabled(0) -> y = 1 :: else -> y = 2 fi; x = 3; y = enabled(0) }",
        32,
        true,
    ),
    (
        "records behind statements",
        "typedef R { byte a = 3; byte b }
byte x;
active proctype P() { x = 1; R r; r.b = x; { R s; s.a = 1; x = s.a + r.a } }",
        8,
        false,
    ),
    (
        "trace that is not completed",
        "mtype = {a, b}; chan q = [2] of {mtype};
trace { q!a; q!b }
active proctype P() { q!a; end: false }
active proctype Q() { skip }",
        6,
        true,
    ),
    (
        "trace",
        "mtype = {a, b}; chan q = [2] of {mtype};
trace { q!a; q!b }
active proctype P() { q!a; if :: q!b :: skip fi }",
        6,
        false,
    ),
    (
        "choices and jumps at the end of atomic",
        "chan q = [0] of {byte}; byte x;
active proctype P() { atomic { x = 1; if :: q!1 :: q!2 -> x = 2; q!3 fi }; x = 3; atomic { do :: q!4 -> break od }; x = 5; atomic { { q!5; } }; x = 6; atomic { if :: q!6; goto L :: q!7 fi }; x = 7; L: x = 8 }
active proctype Q() { byte v; do :: q?v -> x = v od }",
        53,
        true,
    ),
    (
        "loops at the end of atomic",
        "chan q = [0] of {byte}; byte x;
active proctype P() { x = 3; atomic { do :: q!4 -> x = 9; break :: x = 2; q!3; break od }; x = 5; atomic { x = 1; q!5; goto M }; x = 4; M: x = 6; }
active proctype Q() { byte v; do :: q?v -> x = v od }",
        32,
        true,
    ),
    (
        "counting loops inside of atomic",
        "chan q = [0] of {byte}; byte x, i;
active proctype P() { atomic { if :: q!1 :: q!2 fi; x == 2 }; atomic { for (i : 1 .. 2) { q!i } }; atomic { for (i : 1 .. 2) { q!i }; x = 8 }; atomic { { q!3; { if :: q!4 fi } } } }
active proctype Q() { byte v; do :: q?v -> x = v od }",
        36,
        true,
    ),
    (
        "atomic and unless inside of atomic",
        "chan q = [0] of {byte}; byte x, i;
active proctype P() { atomic { x = 1; atomic { if :: q!1 :: q!2 fi }; x = 3; do :: x < 6 -> q!x; x = 7 :: x >= 6 -> break od; { { q!5; x = 8 } unless { x == 3 -> q!9; if :: q!10 :: q!11 fi } } }; select (i : 0 .. 2); atomic { select (i : 1 .. 3); q!i; select( i : 2 .. 3) } }
active proctype Q() { byte v; do :: q?v -> x = v od }",
        122,
        true,
    ),
    (
        "trace with receives",
        "mtype = {a, b}; chan q = [2] of {mtype};
trace { do :: q!a ; q?a od }
active proctype P() { q!a; empty(q); q!a }
active proctype Q() { q?a; q?a }",
        8,
        false,
    ),
];
