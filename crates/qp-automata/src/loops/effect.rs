//! Sequences of operations and their normal form.

use qp_base::{Budget, Exhausted};

use crate::regular::{Builder, Dfa, Language, Letter, StateId, Word};

/// What is done to a word.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    /// Takes a letter from the front, if it is there.
    Take(Letter),
    /// Puts a letter at the back.
    Put(Letter),
}

/// What a sequence of operations does to a word, in normal form.
///
/// It can be done to a word `w` exactly if `w` has at least `demand` letters and `taken` is a prefix of `w put`. The
/// rest of `w put` is the result.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Effect {
    /// How many letters must be there at the beginning. Invariant: at most as many as are taken, and at least as
    /// many as are taken but not put.
    demand: usize,
    taken: Word,
    put: Word,
}

impl Effect {
    /// The effect of a sequence of operations. Linear.
    pub fn of(ops: &[Op]) -> Self {
        let mut effect = Self::default();
        for op in ops {
            match *op {
                Op::Take(letter) => {
                    effect.taken.push(letter);
                    let lacking = effect.taken.len().saturating_sub(effect.put.len());
                    effect.demand = effect.demand.max(lacking);
                }
                Op::Put(letter) => effect.put.push(letter),
            }
        }
        effect
    }

    /// How many letters must be there at the beginning.
    pub fn demand(&self) -> usize {
        self.demand
    }

    /// The letters that are taken, in order.
    pub fn taken(&self) -> &[Letter] {
        &self.taken
    }

    /// The letters that are put, in order.
    pub fn put(&self) -> &[Letter] {
        &self.put
    }

    /// This, then another.
    #[must_use]
    pub fn then(&self, next: &Self) -> Self {
        let later = (self.taken.len() + next.demand).saturating_sub(self.put.len());
        Self {
            demand: self.demand.max(later),
            taken: [self.taken(), next.taken()].concat(),
            put: [self.put(), next.put()].concat(),
        }
    }

    /// This, a number of times.
    #[must_use]
    pub fn repeated(&self, times: usize) -> Self {
        let Some(before) = times.checked_sub(1) else { return Self::default() };
        let lost = self.taken.len().saturating_sub(self.put.len());
        Self {
            demand: self.demand + before * lost,
            taken: self.taken.repeat(times),
            put: self.put.repeat(times),
        }
    }

    /// What becomes of a word, if it can be done.
    pub fn apply(&self, word: &[Letter]) -> Option<Word> {
        let longer = [word, self.put()].concat();
        let rest = longer.strip_prefix(self.taken())?;
        (word.len() >= self.demand).then(|| rest.to_vec())
    }

    /// What becomes of the words of a language, of those with which it can be done. Up to n 2^p states for n states
    /// and p letters put.
    pub fn image(&self, language: &Language, budget: &Budget) -> Result<Language, Exhausted> {
        if self.put.is_empty() {
            return Ok(language.without_prefix(self.taken()));
        }
        let mut builder = Builder::new();
        let dfa = language.dfa();
        if let Some(state) = dfa.after(Dfa::START, self.taken()) {
            let end = builder.rest_of(dfa, [state]);
            let end = builder.path(end, self.put());
            builder.accept(end);
        }
        // Shorter words are used up, and what was put is taken.
        for length in self.demand..self.taken.len() {
            let word = &self.taken[..length];
            if let Some(rest) = self.apply(word).filter(|_| dfa.accepts(word)) {
                let start = builder.start();
                let end = builder.path(start, &rest);
                builder.accept(end);
            }
        }
        Language::from_nfa(&builder.build(), budget)
    }
}

impl Builder {
    /// Reads the words that an automaton accepts from some states on, beginning there; the state after them.
    pub(super) fn rest_of(
        &mut self,
        dfa: &Dfa,
        states: impl IntoIterator<Item = StateId>,
    ) -> StateId {
        let offset = self.copy(dfa.states());
        let here = |state: StateId| StateId::new(state.index() + offset);
        states.into_iter().for_each(|state| self.start_at(here(state)));
        let end = self.state();
        for (id, state) in dfa.states().iter_enumerated() {
            if state.accepting {
                self.jump(here(id), end);
            }
        }
        end
    }
}
