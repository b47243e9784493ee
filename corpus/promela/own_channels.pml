//@ about: processes with channels of their own, and channels as arguments
//@ source: written for this corpus
//@ expect deadlock: proved !explore
proctype W(chan out; byte n) { chan me = [1] of { byte }; me!n; byte k; me?k; out!k; end: out!9 }
chan o = [1] of { byte };
byte g;
init { byte i; pid p; for (i : 1..2) { p = run W(o, i) } byte a[3]; for (i in a) { a[i] = i } o?g; o?g; g = p }
