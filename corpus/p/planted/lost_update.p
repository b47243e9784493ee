//@ about: Two workers read a register, add one and write it back.
//@ source: written for the corpus: one of ten planted mistakes that random schedules look for (docs/manual/schedules.md)
//@ expect assert: violated !explore
event eRead: machine; event eValue: int; event eWrite: int; event eDone;
machine Main { var n: int; var cell: machine; start state S {
  entry { var i: int; cell = new Cell(this); while (i < 2) { new Worker((cell = cell, home = this)); i = i + 1; } }
  on eDone do { n = n + 1; if (n == 2) { send cell, eRead, this; } }
  on eValue do (v: int) { assert v == 2, "an update was lost"; }
} }
machine Cell { var v: int; start state S {
  entry (home: machine) { }
  on eRead do (who: machine) { send who, eValue, v; }
  on eWrite do (w: int) { v = w; }
} }
machine Worker { var cell: machine; var home: machine; start state S {
  entry (p: (cell: machine, home: machine)) { cell = p.cell; home = p.home; send cell, eRead, this; }
  on eValue do (v: int) { send cell, eWrite, v + 1; send home, eDone; }
} }
test tc [main = Main]: { Main, Cell, Worker };
