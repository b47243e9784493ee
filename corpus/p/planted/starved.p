//@ about: One slow machine among ten quick ones: the mistake needs it to be last.
//@ source: written for the corpus: one of ten planted mistakes that random schedules look for (docs/manual/schedules.md)
//@ expect assert: violated
event eHello; event eSlow;
machine Main { var n: int; start state S {
  entry { var i: int; new Slow(this); while (i < 8) { new Quick(this); i = i + 1; } }
  on eHello do { n = n + 1; }
  on eSlow do { assert n < 24, "the slow one came last"; } } }
machine Quick { start state S { entry (m: machine) { send m, eHello; send m, eHello; send m, eHello; } } }
machine Slow { start state S { entry (m: machine) { send m, eSlow; } } }
test tc [main = Main]: { Main, Quick, Slow };
