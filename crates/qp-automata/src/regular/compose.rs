//! Nondeterministic automata made of others. Everything here is linear in its result unless it says more.

use super::{Builder, Edge, Letter, Letters, Nfa, StateId};

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

    /// Its words with one more word at the end of each.
    #[must_use]
    pub fn append(&self, word: &[Letter]) -> Self {
        self.concat(&Self::word(word))
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
