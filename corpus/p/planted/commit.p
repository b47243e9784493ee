//@ about: Two-phase commit that counts answers and forgets to whom they belong.
//@ source: written for the corpus: one of ten planted mistakes that random schedules look for (docs/manual/schedules.md)
//@ expect assert: violated !explore
event ePrepare: machine; event eYes: int; event eNo: int; event eTimeout; event eCommit: int; event eAbort: int; event eGo: machine;
machine Main { var c: machine; start state S { entry {
  var p: seq[machine]; p += (0, new Part()); p += (1, new Part()); new Coord(p); } } }
machine Clock { start state S { on eGo do (m: machine) { send m, eTimeout; } } }
machine Coord { var p: seq[machine]; var n: int; var round: int; var clock: machine; start state S {
    entry (q: seq[machine]) { p = q; clock = new Clock(); goto Ask; } }
  state Ask { entry { n = 0; round = round + 1; send p[0], ePrepare, this; send p[1], ePrepare, this;
      if (round == 1) { send clock, eGo, this; } }
    on eYes do (r: int) { n = n + 1; if (n == 2) { assert r == round, "an answer of an earlier round counted"; send p[0], eCommit, round; send p[1], eCommit, round; goto Done; } }
    on eTimeout do { send p[0], eAbort, round; send p[1], eAbort, round; goto Ask; } }
  state Done { ignore eYes, eTimeout; } }
machine Part { var prepared: int; var asked: int; start state S {
  on ePrepare do (m: machine) { asked = asked + 1; prepared = asked; send m, eYes, asked; }
  on eAbort do (r: int) { prepared = 0; }
  on eCommit do (r: int) { } } }
test tc [main = Main]: { Main, Clock, Coord, Part };
