//@ about: A message that takes the long way round is overtaken only if two relays both wait.
//@ source: written for the corpus: one of ten planted mistakes that random schedules look for (docs/manual/schedules.md)
//@ expect assert: violated !explore
event eDirect; event eRelay: int;
machine Main { start state S { entry {
  var sink: machine; var second: machine; var first: machine;
  sink = new Sink(); second = new Relay(sink); first = new Relay(second);
  send first, eRelay, 1; send sink, eDirect;
} } }
machine Relay { var next: machine; start state S {
  entry (dest: machine) { next = dest; }
  on eRelay do (n: int) { send next, eRelay, n; }
} }
machine Sink { var direct: bool; start state S {
  on eDirect do { direct = true; }
  on eRelay do (n: int) { assert direct, "the relayed message came first"; }
} }
test tc [main = Main]: { Main, Relay, Sink };
