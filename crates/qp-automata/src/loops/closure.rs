//! What becomes of a language when something is done to its words any number of times.
//!
//! With u the letters taken in each round, m of them, and v those put, n of them, a run of rounds has two phases.
//! In the first, each round takes letters of the original word only: a word `u^k x` has become `x v^k`. In the
//! second, less than m letters of the original word are left, a prefix of u, and the rounds take what they have
//! put themselves. How often the first phase can be repeated before that is a regular question, so the numbers k
//! that lead there are eventually periodic. In the second phase the word is a part of `x v v v...` that must agree
//! with `u u u...`: either the two differ somewhere, and there are finitely many rounds; or they are the same, and
//! only the length of the word changes.

use std::iter::repeat_with;

use qp_base::{Budget, Exhausted};

use super::Effect;
use crate::regular::{Builder, Dfa, Exponents, Language, Letter, StateId, Word};

impl Effect {
    /// What becomes of the words of a language when this is done any number of times, also none: exactly those
    /// words.
    ///
    /// With s states, m letters taken and n put, O(s² + s n (m + n) + m² (m + n)) states before the result is made
    /// deterministic, and possibly exponentially many on the way there; the budget says how many are too many.
    pub fn closure(&self, language: &Language, budget: &Budget) -> Result<Language, Exhausted> {
        let mut builder = Builder::new();
        let dfa = language.dfa();
        if self.taken().is_empty() {
            let end = builder.rest_of(dfa, [Dfa::START]);
            builder.accept(end);
            let again = builder.path(end, self.put());
            builder.jump(again, end);
        } else {
            self.original_letters(&mut builder, dfa);
            if !self.put().is_empty() {
                self.own_letters(&mut builder, dfa);
            }
        }
        Language::from_nfa(&builder.build(), budget)
    }

    /// The first phase: `x v^k` for each word `u^k x`.
    fn original_letters(&self, builder: &mut Builder, dfa: &Dfa) {
        let (states, back) = dfa.repeat(self.taken());
        if self.put().is_empty() {
            let end = builder.rest_of(dfa, states);
            builder.accept(end);
            return;
        }
        // From state number k of the row, v is read k times until a word may end; from state number j of the ring
        // j times more than from the row's state where the ring begins, and that plus any number of times round.
        let row: Vec<StateId> = repeat_with(|| builder.state()).take(states.len()).collect();
        builder.accept(row[0]);
        for pair in row.windows(2) {
            builder.join(pair[1], self.put(), pair[0]);
        }
        let first = back.unwrap_or(states.len());
        let ring: Vec<StateId> =
            repeat_with(|| builder.state()).take(states.len() - first).collect();
        for pair in ring.windows(2) {
            builder.join(pair[1], self.put(), pair[0]);
        }
        if let (Some(&begin), Some(&end)) = (ring.first(), ring.last()) {
            builder.jump(begin, row[first]);
            builder.join(begin, self.put(), end);
        }
        for (k, &state) in states.iter().enumerate() {
            let end = builder.rest_of(dfa, [state]);
            builder.jump(end, if k < first { row[k] } else { ring[k - first] });
        }
    }

    /// The second phase, for each prefix of u that may be left of the original word.
    fn own_letters(&self, builder: &mut Builder, dfa: &Dfa) {
        for left in 0..self.taken().len() {
            let rounds = dfa.exponents(self.taken(), &self.taken()[..left]);
            if rounds.is_empty() {
                continue;
            }
            if let Some(agreeing) = self.agreement(left) {
                self.until_they_differ(builder, left, agreeing, &rounds);
            } else {
                let start = builder.start();
                builder.accept_prefixes(start, self.taken(), &self.lengths(left, &rounds));
            }
        }
    }

    /// How many letters of `u[..left] v v v...` and `u u u...` agree; `None` if all do. Both words repeat
    /// themselves, so that they are equal if they agree for as long as both periods together.
    fn agreement(&self, left: usize) -> Option<usize> {
        let enough = left + self.taken().len() + self.put().len() + 2;
        (0..enough).find(|&i| self.own(left, i) != self.taken()[i % self.taken().len()])
    }

    /// A letter of `u[..left] v v v...`.
    fn own(&self, left: usize, i: usize) -> Letter {
        if i < left { self.taken()[i] } else { self.put()[(i - left) % self.put().len()] }
    }

    /// The words after 1, 2, ... rounds of the second phase, as far as there are letters that agree.
    fn until_they_differ(
        &self,
        builder: &mut Builder,
        left: usize,
        agreeing: usize,
        rounds: &Exponents,
    ) {
        let (m, n) = (self.taken().len(), self.put().len());
        for i in 1..=agreeing / m {
            // The last of these rounds finds the shortest word if each round makes it shorter.
            let shrunk = (i - 1) * m.saturating_sub(n);
            let rounds_min = (self.demand() + shrunk).saturating_sub(left).div_ceil(n);
            let copies = (i * m).saturating_sub(left).div_ceil(n);
            let part: Word = (i * m..left + copies * n).map(|at| self.own(left, at)).collect();
            let start = builder.start();
            let begun = builder.path(start, &part);
            let more = rounds.at_least(rounds_min).plus(i).minus(copies);
            builder.accept_powers(begun, self.put(), &more);
        }
    }

    /// How long the words get in the second phase if they are always prefixes of `u u u...`.
    fn lengths(&self, left: usize, rounds: &Exponents) -> Exponents {
        let (m, n) = (self.taken().len(), self.put().len());
        let begun = rounds.times(n).plus(left);
        if n >= m {
            // If as much is put as is taken there is nothing new, and the first phase has these words.
            begun.at_least(self.demand()).plus_multiples(n - m)
        } else {
            // The last round found as many letters as it demands.
            begun.minus_multiples(m - n).at_least(self.demand().saturating_sub(m - n))
        }
    }
}

impl Builder {
    /// Reads a word, which is not empty, from one state to another.
    fn join(&mut self, from: StateId, word: &[Letter], to: StateId) {
        let end = self.path(from, word);
        self.jump(end, to);
    }
}
