//@ about: A lock with a lease: the timer takes it away although its holder still works.
//@ source: written for the corpus: one of ten planted mistakes that random schedules look for (docs/manual/schedules.md)
//@ expect assert: violated !explore
event eAcquire: machine; event eGrant; event eRelease; event eExpire; event eStart: machine; event eEnter; event eLeave;
machine Main { var inside: int; start state S {
  entry { var lock: machine; lock = new Lock(); new User((lock = lock, room = this)); new User((lock = lock, room = this)); }
  on eEnter do { inside = inside + 1; assert inside < 2, "two inside"; }
  on eLeave do { inside = inside - 1; } } }
machine Timer { start state S { on eStart do (m: machine) { send m, eExpire; } } }
machine Lock { var timer: machine; var waits: seq[machine]; start state Free {
    entry { if (timer == null) { timer = new Timer(); }
      if (sizeof(waits) > 0) { send waits[0], eGrant; waits -= (0); goto Held; } }
    on eAcquire do (m: machine) { send m, eGrant; goto Held; }
    ignore eExpire, eRelease; }
  state Held { entry { send timer, eStart, this; }
    on eAcquire do (m: machine) { waits += (sizeof(waits), m); }
    on eRelease goto Free; on eExpire goto Free; } }
machine User { var lock: machine; var room: machine; start state S {
    entry (p: (lock: machine, room: machine)) { lock = p.lock; room = p.room; send lock, eAcquire, this; }
    on eGrant do { send room, eEnter; send room, eLeave; send lock, eRelease; } } }
test tc [main = Main]: { Main, Timer, Lock, User };
