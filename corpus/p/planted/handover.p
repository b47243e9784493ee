//@ about: A shard moves from one store to the other; a write that follows the old map is lost if both the move and the map are late.
//@ source: written for the corpus: one of ten planted mistakes that random schedules look for (docs/manual/schedules.md)
//@ expect assert: violated !explore
event eWrite: int; event eMap: machine; event eMove: machine; event eShard: int; event eAsk: machine; event eHave: int;
machine Main { var a: machine; var b: machine; start state S { entry {
  var w: machine; a = new Store(); b = new Store(); w = new Writer((dest = a, reader = this));
  send a, eMove, b; send w, eMap, b; }
  on eAsk do (m: machine) { send b, eAsk, this; }
  on eHave do (v: int) { assert v > 0, "all writes were lost"; } } }
machine Store { var v: int; start state Has {
    on eWrite do (d: int) { v = v + d; }
    on eMove do (other: machine) { send other, eShard, v; goto Moved; }
    on eShard do (w: int) { v = v + w; } on eAsk do (m: machine) { send m, eHave, v; } }
  state Moved { ignore eWrite; on eAsk do (m: machine) { send m, eHave, v; } } }
machine Writer { var dest: machine; var n: int; start state S {
    entry (p: (dest: machine, reader: machine)) { dest = p.dest; send this, eWrite, 1; send this, eWrite, 1; send this, eWrite, 1; send this, eAsk, p.reader; }
    on eAsk do (m: machine) { send m, eAsk, this; }
    on eWrite do (d: int) { send dest, eWrite, d; }
    on eMap do (m: machine) { dest = m; } } }
test tc [main = Main]: { Main, Store, Writer };
