//! Regular languages as values.

use std::fmt;
use std::sync::Arc;

use qp_base::{Budget, Exhausted};

use super::{Dfa, Letter, Letters, Longest, Nfa, State, StateId, Word};

/// A regular language: equal languages are equal values, with equal hashes.
///
/// It is kept as the minimal deterministic automaton with a fixed numbering of states. To copy it costs nothing.
/// Operations that may need many states take a budget, whose `states` limit the states of each automaton on the
/// way; what is said of their cost comes on top of [`Dfa::minimise`].
///
/// ```
/// use qp_automata::regular::{Language, Letter, Letters};
/// use qp_base::Budget;
///
/// let [a, b] = [Letter::new(0), Letter::new(1)];
/// let budget = Budget::states(1_000);
/// let some = Language::words([&[a][..], &[a, b]]);
/// let same = Language::word(&[a]).concat(&Language::words([&[][..], &[b]]), &budget)?;
/// assert_eq!(some, same);
/// let rest = Language::all(&Letters::only([a, b])).difference(&some, &budget)?;
/// assert!(rest.contains(&[b]) && !rest.contains(&[a, b]));
/// # Ok::<(), qp_base::Exhausted>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Language {
    /// Invariant: minimal, numbered as [`Dfa::minimise`] says.
    dfa: Arc<Dfa>,
}

impl Language {
    /// Without words.
    pub fn none() -> Self {
        Self { dfa: Arc::new(Dfa::none()) }
    }

    /// One word.
    pub fn word(word: &[Letter]) -> Self {
        Self::words([word])
    }

    /// Finitely many words. Time O(n log n) in the number of letters in them.
    pub fn words<'a>(words: impl IntoIterator<Item = &'a [Letter]>) -> Self {
        // States of the result are beginnings of words, so that it cannot have too many.
        Self::from_small(&Nfa::words(words))
    }

    /// The language of an automaton that is known to need few states.
    pub(crate) fn from_small(nfa: &Nfa) -> Self {
        let exact = Self::from_nfa(nfa, &Budget::states(u64::MAX));
        exact.unwrap_or_else(|_| unreachable!("bug in Queueproof: there is no limit to meet"))
    }

    /// Every word of some letters.
    pub fn all(letters: &Letters) -> Self {
        Self::from_dfa(Dfa::none().complement(letters))
    }

    /// The language of a deterministic automaton.
    #[expect(clippy::needless_pass_by_value, reason = "the automaton is of no use afterwards")]
    pub fn from_dfa(dfa: Dfa) -> Self {
        Self { dfa: Arc::new(dfa.minimise()) }
    }

    /// The language of an automaton. Cost as for [`Nfa::determinise`].
    pub fn from_nfa(nfa: &Nfa, budget: &Budget) -> Result<Self, Exhausted> {
        nfa.determinise(budget).map(Self::from_dfa)
    }

    /// The minimal automaton.
    pub fn dfa(&self) -> &Dfa {
        &self.dfa
    }

    /// The minimal automaton, as one that need not be deterministic.
    pub fn nfa(&self) -> Nfa {
        self.dfa.to_nfa()
    }

    /// Whether it has a word.
    pub fn contains(&self, word: &[Letter]) -> bool {
        self.dfa.accepts(word)
    }

    /// Whether it has no word. Takes constant time.
    pub fn is_empty(&self) -> bool {
        let start = &self.dfa.states()[Dfa::START];
        !start.accepting && start.edges.is_empty()
    }

    /// How long its words get.
    pub fn longest(&self) -> Longest {
        self.dfa.longest()
    }

    /// One of its shortest words.
    pub fn shortest_word(&self) -> Option<Word> {
        self.dfa.shortest_word()
    }

    /// Whether one of its words begins with a word.
    pub fn has_prefix(&self, prefix: &[Letter]) -> bool {
        // From each state of a minimal automaton there is a way to a word, except in the empty language.
        !self.is_empty() && self.dfa.after(Dfa::START, prefix).is_some()
    }

    /// Whether all of its words are words of another. With n and m states, O(n m) pairs of states.
    pub fn is_included_in(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.dfa, &other.dfa) || self.dfa.is_included_in(&other.dfa)
    }

    /// The words of both. Cost as for [`Dfa::union`].
    pub fn union(&self, other: &Self, budget: &Budget) -> Result<Self, Exhausted> {
        self.dfa.union(&other.dfa, budget).map(Self::from_dfa)
    }

    /// The words that both have. Cost as for [`Dfa::intersection`].
    pub fn intersection(&self, other: &Self, budget: &Budget) -> Result<Self, Exhausted> {
        self.dfa.intersection(&other.dfa, budget).map(Self::from_dfa)
    }

    /// Its words that the other does not have. Cost as for [`Dfa::difference`].
    pub fn difference(&self, other: &Self, budget: &Budget) -> Result<Self, Exhausted> {
        self.dfa.difference(&other.dfa, budget).map(Self::from_dfa)
    }

    /// A word of this, then one of the other. Up to n 2^m states for n and m states.
    pub fn concat(&self, other: &Self, budget: &Budget) -> Result<Self, Exhausted> {
        Self::from_nfa(&self.nfa().concat(&other.nfa()), budget)
    }

    /// Any number of its words, one after the other. Up to 2^n states for n states.
    pub fn star(&self, budget: &Budget) -> Result<Self, Exhausted> {
        Self::from_nfa(&self.nfa().star(), budget)
    }

    /// Its words with one more word at the end of each. Up to n 2^w states for n states and w letters.
    pub fn append(&self, word: &[Letter], budget: &Budget) -> Result<Self, Exhausted> {
        Self::from_nfa(&self.nfa().append(word), budget)
    }

    /// What remains of its words that begin with a word, when that is taken away.
    #[must_use]
    pub fn without_prefix(&self, prefix: &[Letter]) -> Self {
        let Some(state) = self.dfa.after(Dfa::START, prefix) else { return Self::none() };
        // The states of a minimal automaton remain different when words begin elsewhere.
        Self { dfa: Arc::new(self.dfa.starting_at(state).renumbered()) }
    }

    /// What remains of its words that end with a word, when that is taken away. Time O(n log n) for n states, and as
    /// much as for reading the word in each.
    #[must_use]
    pub fn without_suffix(&self, suffix: &[Letter]) -> Self {
        let accepts_then = |state: StateId| {
            let end = self.dfa.after(state, suffix);
            end.is_some_and(|end| self.dfa.states()[end].accepting)
        };
        let states = self
            .dfa
            .states()
            .iter_enumerated()
            .map(|(id, state)| State { accepting: accepts_then(id), edges: state.edges.clone() });
        Self::from_dfa(Dfa::of(states.collect()))
    }

    /// What remains of its words in which only letters of `before` come before some `letter`, when the first such
    /// `letter` is taken away. Up to n 2^n states for n states.
    pub fn without_first(
        &self,
        letter: Letter,
        before: &Letters,
        budget: &Budget,
    ) -> Result<Self, Exhausted> {
        Self::from_nfa(&self.nfa().without_first(letter, before), budget)
    }

    /// A greater language of fewer states: [`Nfa::blurred`]. Up to 2^n states for n states.
    pub fn blurred(&self, length: usize, budget: &Budget) -> Result<Self, Exhausted> {
        Self::from_nfa(&self.nfa().blurred(length), budget)
    }
}

impl From<Dfa> for Language {
    fn from(dfa: Dfa) -> Self {
        Self::from_dfa(dfa)
    }
}

/// A short expression, or the number of states.
impl fmt::Debug for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Long enough to be of no use to a reader.
        const SIZE_MAX: usize = 200;
        match self.dfa.expression(SIZE_MAX) {
            Some(expression) => {
                write!(f, "{}", expression.display(&|letter| format!("{letter:?}")))
            }
            None => write!(f, "a language of {} states", self.dfa.states().len()),
        }
    }
}
