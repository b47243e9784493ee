//@ about: Four philosophers, each takes the left fork first.
//@ source: written for the corpus: one of ten planted mistakes that random schedules look for (docs/manual/schedules.md)
//@ expect deadlock: violated !explore
event eTake: machine; event eOk; event ePut;
machine Main { start state S { entry { var f: seq[machine]; var i: int;
  while (i < 4) { f += (i, new Fork()); i = i + 1; }
  i = 0; while (i < 3) { new Eater((l = f[i], r = f[i + 1])); i = i + 1; }
  new Eater((l = f[3], r = f[0]));
} } }
machine Fork { start state Free { on eTake do (who: machine) { send who, eOk; goto Taken; } }
  state Taken { defer eTake; on ePut goto Free; } }
machine Eater { var l: machine; var r: machine; start state S {
    entry (p: (l: machine, r: machine)) { l = p.l; r = p.r;
      send l, eTake, this; receive { case eOk: { } }
      send r, eTake, this; receive { case eOk: { } }
      send l, ePut; send r, ePut; } } }
test tc [main = Main]: { Main, Fork, Eater };
