//@ about: Candidates ask two voters; a voter who is slow forgets whom it has voted for.
//@ source: written for the corpus: one of ten planted mistakes that random schedules look for (docs/manual/schedules.md)
//@ expect assert: violated !explore
event eVote: machine; event eYes; event eReset; event eLeader;
machine Main { var n: int; start state S {
  entry { var v: seq[machine]; v += (0, new Voter()); v += (1, new Voter());
    new Candidate((v = v, home = this)); new Candidate((v = v, home = this));
    send v[1], eReset; }
  on eLeader do { n = n + 1; assert n < 2, "two leaders"; }
} }
machine Voter { var voted: bool; start state S {
  on eVote do (c: machine) { if (!voted) { voted = true; send c, eYes; } }
  on eReset do { voted = false; } } }
machine Candidate { var n: int; var home: machine; start state S {
  entry (p: (v: seq[machine], home: machine)) { home = p.home; send p.v[0], eVote, this; send p.v[1], eVote, this; }
  on eYes do { n = n + 1; if (n == 1) { send home, eLeader; } } } }
test tc [main = Main]: { Main, Voter, Candidate };
