//! Nondeterministic automata made of others. Everything here is linear in its result unless it says more.

use qp_base::{Budget, Exhausted, Interner, Spent};

use super::builder::joined;
use super::pieces::cut;
use super::{Builder, Edge, Letter, Letters, Nfa, State, StateId};

impl Nfa {
    /// The words that one of both accepts.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        let mut builder = Builder::new();
        for part in [self, other] {
            let (starts, ends) = builder.part(part);
            builder.start_at_each(&starts);
            builder.accept_each(&ends);
        }
        builder.build()
    }

    /// A word of this automaton, then one of the other. With n states that accept in this one and m that
    /// begin in the other, O(n m) edges may be new.
    #[must_use]
    pub fn concat(&self, other: &Self) -> Self {
        let mut builder = Builder::new();
        let middle = builder.state();
        let (starts, ends) = builder.part(self);
        builder.start_at_each(&starts);
        builder.jump_each(&ends, &[middle]);
        let (starts, ends) = builder.part(other);
        builder.jump_each(&[middle], &starts);
        builder.accept_each(&ends);
        builder.build()
    }

    /// Any number of words of this automaton, one after the other. New edges as for [`Nfa::concat`].
    #[must_use]
    pub fn star(&self) -> Self {
        let mut builder = Builder::new();
        let middle = builder.start();
        builder.accept(middle);
        let (starts, ends) = builder.part(self);
        builder.jump_each(&[middle], &starts);
        builder.jump_each(&ends, &[middle]);
        builder.build()
    }

    /// Its words, read backwards.
    #[must_use]
    pub fn reverse(&self) -> Self {
        let mut builder = Builder::new();
        for _ in self.states() {
            builder.state();
        }
        for (id, state) in self.states().iter_enumerated() {
            for edge in &state.edges {
                builder.edge(edge.to, edge.letters.clone(), id);
            }
            if state.accepting {
                builder.start_at(id);
            }
        }
        builder.accept_each(self.starts());
        builder.build()
    }

    /// Its words with one more word at the end of each.
    #[must_use]
    pub fn append(&self, word: &[Letter]) -> Self {
        self.concat(&Self::word(word))
    }

    /// What remains of its words that begin with a word, when that is taken away.
    #[must_use]
    pub fn without_prefix(&self, prefix: &[Letter]) -> Self {
        Self::of(self.after(prefix), self.states().clone()).trim()
    }

    /// What remains of its words in which only letters of `before` come before some `letter`, when the first
    /// such `letter` is taken away: `x y` for each word `x letter y`. A `letter` that is itself in `before` is
    /// not passed over.
    #[must_use]
    pub fn without_first(&self, letter: Letter, before: &Letters) -> Self {
        let before = before.difference(&Letters::one(letter));
        let mut builder = Builder::new();
        let (starts, _) = builder.part(self);
        builder.start_at_each(&starts);
        let (_, ends) = builder.part(self);
        builder.accept_each(&ends);
        let later = self.states().len();
        builder.change_edges(0..later, |from, edge, jumps| {
            if edge.letters.contains(letter) {
                jumps.push((from, StateId::new(edge.to.index() + later)));
            }
            edge.letters.intersection(&before)
        });
        builder.build()
    }

    /// Its words and those that are made of them by leaving out letters.
    #[must_use]
    pub fn subwords(&self) -> Self {
        let mut builder = Builder::new();
        let (starts, ends) = builder.part(self);
        builder.start_at_each(&starts);
        builder.accept_each(&ends);
        builder.change_edges(0..self.states().len(), |from, edge, jumps| {
            jumps.push((from, edge.to));
            edge.letters.clone()
        });
        builder.build()
    }

    /// The beginnings of its words.
    #[must_use]
    pub fn prefixes(&self) -> Self {
        let trimmed = self.trim();
        let all = trimmed.states().iter().map(|state| State { accepting: true, ..state.clone() });
        Self::of(trimmed.starts().to_vec(), all.collect())
    }

    /// The words that both accept. With n and m states, up to n m states; the budget says how many are too
    /// many.
    pub fn intersection(&self, other: &Self, budget: &Budget) -> Result<Self, Exhausted> {
        let mut pairs: Interner<StateId, (StateId, StateId)> = Interner::new();
        for &left in self.starts() {
            for &right in other.starts() {
                pairs.intern((left, right));
            }
        }
        let n_starts = pairs.len();
        let mut states: Vec<State> = Vec::new();
        while states.len() < pairs.len() {
            budget.check(Spent { states: pairs.len() as u64, bytes: 0 })?;
            let (left, right) = *pairs.value(StateId::new(states.len()));
            let (left, right) = (&self.states()[left], &other.states()[right]);
            let accepting = left.accepting && right.accepting;
            let mut edges: Vec<Edge> = Vec::new();
            for (letters, tos) in cut(&tagged(&left.edges, &right.edges)) {
                let lefts = tos.iter().filter(|(side, _)| *side == Side::Left);
                for &(_, left) in lefts {
                    let rights = tos.iter().filter(|(side, _)| *side == Side::Right);
                    edges.extend(rights.map(|&(_, right)| Edge {
                        letters: letters.clone(),
                        to: pairs.intern((left, right)),
                    }));
                }
            }
            states.push(State { accepting, edges: joined(edges.iter().collect()) });
        }
        let starts = (0..n_starts).map(StateId::new).collect();
        Ok(Self::of(starts, states.into()).trim())
    }
}

/// From which of two automata an edge is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Side {
    Left,
    Right,
}

/// The edges of both sides as labels of where they lead.
pub(super) fn tagged<'a>(
    left: impl IntoIterator<Item = &'a Edge>,
    right: impl IntoIterator<Item = &'a Edge>,
) -> Vec<(&'a Letters, (Side, StateId))> {
    let left = left.into_iter().map(|edge| (&edge.letters, (Side::Left, edge.to)));
    left.chain(right.into_iter().map(|edge| (&edge.letters, (Side::Right, edge.to)))).collect()
}

impl Builder {
    /// Copies an automaton; where its words begin, and where they end.
    fn part(&mut self, part: &Nfa) -> (Vec<StateId>, Vec<StateId>) {
        let offset = self.copy(part.states());
        let here = |state: StateId| StateId::new(state.index() + offset);
        let starts = part.starts().iter().map(|&start| here(start)).collect();
        let ends = part.states().iter_enumerated().filter(|(_, state)| state.accepting);
        (starts, ends.map(|(id, _)| here(id)).collect())
    }

    fn start_at_each(&mut self, states: &[StateId]) {
        for &state in states {
            self.start_at(state);
        }
    }

    fn accept_each(&mut self, states: &[StateId]) {
        for &state in states {
            self.accept(state);
        }
    }

    fn jump_each(&mut self, from: &[StateId], to: &[StateId]) {
        for &from in from {
            for &to in to {
                self.jump(from, to);
            }
        }
    }
}
