//@ about: Three steps in one order among machines that all send to one: 1 in 6, three times over.
//@ source: written for the corpus: one of ten planted mistakes that random schedules look for (docs/manual/schedules.md)
//@ expect assert: violated !explore
event eA; event eB; event eC;
machine Main { var got: seq[int]; var n: int; start state S {
  entry { new A(this); new B(this); new C(this); }
  on eA do { Take(0); } on eB do { Take(1); } on eC do { Take(2); } }
  fun Take(k: int) { if (k == n % 3) { n = n + 1; } else { n = 0 - 100; } assert n < 6, "two rounds in order"; } }
machine A { start state S { entry (m: machine) { send m, eA; send m, eA; } } }
machine B { start state S { entry (m: machine) { send m, eB; send m, eB; } } }
machine C { start state S { entry (m: machine) { send m, eC; send m, eC; } } }
test tc [main = Main]: { Main, A, B, C };
