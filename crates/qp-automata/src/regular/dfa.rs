//! Deterministic automata.

use qp_base::{Budget, Exhausted, IndexVec, Interner, Spent};

use super::compose::{Side, tagged};
use super::pieces::{Piece, cut};
use super::{Edge, Exponents, Letter, Letters, Nfa, State, StateId};

/// A deterministic automaton on finite words: no letter is on two edges of a state. A letter may be on none;
/// the word is then not accepted, whatever follows.
///
/// Equal values are the same automaton. For the same language see [`Language`](super::Language).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Dfa {
    /// Invariant: at least one state, the first of which is where words begin; the edges of a state are disjoint
    /// and in the order of their least letters.
    states: IndexVec<StateId, State>,
}

impl Dfa {
    /// Where words begin.
    pub const START: StateId = StateId::from_raw(0);

    /// Accepts no word.
    pub fn none() -> Self {
        Self::of(vec![State::default()])
    }

    /// Takes what the invariant says as given.
    pub(super) fn of(states: Vec<State>) -> Self {
        assert!(!states.is_empty(), "bug in Queueproof: an automaton without a state to begin in");
        debug_assert!(states.iter().all(is_deterministic), "no letter is on two edges");
        Self { states: states.into() }
    }

    /// Its states. The first one is where words begin.
    pub fn states(&self) -> &IndexVec<StateId, State> {
        &self.states
    }

    /// The same automaton, as one that need not be deterministic.
    pub fn to_nfa(&self) -> Nfa {
        Nfa::of(vec![Self::START], self.states.clone())
    }

    /// The state after a letter, if there is one. Time O(e log l) with e edges of l letters each.
    pub fn next(&self, state: StateId, letter: Letter) -> Option<StateId> {
        let edges = &self.states[state].edges;
        edges.iter().find(|edge| edge.letters.contains(letter)).map(|edge| edge.to)
    }

    /// The state after a word that is read from a state on.
    pub fn after(&self, state: StateId, word: &[Letter]) -> Option<StateId> {
        word.iter().try_fold(state, |now, &letter| self.next(now, letter))
    }

    /// Whether it accepts a word.
    pub fn accepts(&self, word: &[Letter]) -> bool {
        self.after(Self::START, word).is_some_and(|state| self.states[state].accepting)
    }

    /// The same automaton, with words beginning in another state. Linear.
    #[must_use]
    pub fn starting_at(&self, state: StateId) -> Self {
        let moved = |id: StateId| match id {
            Self::START => state,
            id if id == state => Self::START,
            id => id,
        };
        let renamed = |edge: &Edge| Edge { letters: edge.letters.clone(), to: moved(edge.to) };
        let states = self.states.ids().map(|id| {
            let old = &self.states[moved(id)];
            State { accepting: old.accepting, edges: old.edges.iter().map(renamed).collect() }
        });
        Self { states: states.collect() }
    }

    /// Where repeating a word leads to: the states after 0, 1, 2, ... times, as long as they are new, and the
    /// number of times after which the state next to the last was seen first. `None` if the word cannot be read
    /// there. The word is not empty.
    pub fn repeat(&self, word: &[Letter]) -> (Vec<StateId>, Option<usize>) {
        let mut seen = vec![None; self.states.len()];
        let (mut path, mut now) = (Vec::new(), Some(Self::START));
        while let Some(state) = now {
            if seen[state.index()].is_some() {
                return (path, seen[state.index()]);
            }
            seen[state.index()] = Some(path.len());
            path.push(state);
            now = self.after(state, word);
        }
        (path, None)
    }

    /// The numbers k for which `word` k times and then `rest` is accepted.
    pub fn exponents(&self, word: &[Letter], rest: &[Letter]) -> Exponents {
        let (path, back) = self.repeat(word);
        let accepted = |&state: &StateId| {
            self.after(state, rest).is_some_and(|end| self.states[end].accepting)
        };
        let mut first: Vec<bool> = path.iter().map(accepted).collect();
        let cycle = back.map_or_else(Vec::new, |back| first.split_off(back));
        Exponents::new(first, cycle)
    }

    /// The words of some letters that it does not accept.
    #[must_use]
    pub fn complement(&self, alphabet: &Letters) -> Self {
        let dead = StateId::new(self.states.len());
        let mut states: Vec<State> = Vec::with_capacity(self.states.len() + 1);
        for state in &self.states {
            let read = Letters::union_of(state.edges.iter().map(|edge| &edge.letters));
            let kept = state
                .edges
                .iter()
                .map(|edge| Edge { letters: edge.letters.intersection(alphabet), to: edge.to });
            let lost = Edge { letters: alphabet.difference(&read), to: dead };
            states.push(ordered(!state.accepting, kept.chain([lost]).collect()));
        }
        states.push(ordered(true, vec![Edge { letters: alphabet.clone(), to: dead }]));
        Self::of(states)
    }

    /// The words that one of both accepts. With n and m states, up to (n + 1) (m + 1) states.
    pub fn union(&self, other: &Self, budget: &Budget) -> Result<Self, Exhausted> {
        self.product(other, Operation::Union, budget)
    }

    /// The words that both accept. With n and m states, up to n m states.
    pub fn intersection(&self, other: &Self, budget: &Budget) -> Result<Self, Exhausted> {
        self.product(other, Operation::Intersection, budget)
    }

    /// The words that this one accepts and the other does not. With n and m states, up to n (m + 1) states.
    pub fn difference(&self, other: &Self, budget: &Budget) -> Result<Self, Exhausted> {
        self.product(other, Operation::Difference, budget)
    }

    fn product(&self, other: &Self, op: Operation, budget: &Budget) -> Result<Self, Exhausted> {
        let mut pairs: Interner<StateId, Pair> = Interner::new();
        pairs.intern((Some(Self::START), Some(Self::START)));
        let mut states: Vec<State> = Vec::new();
        while states.len() < pairs.len() {
            budget.check(Spent { states: pairs.len() as u64, bytes: 0 })?;
            let pair = *pairs.value(StateId::new(states.len()));
            let edges = self.pieces(other, pair).into_iter().filter_map(|(letters, tos)| {
                let to = pair_of(&tos);
                op.goes_on(to).then(|| Edge { letters, to: pairs.intern(to) })
            });
            let edges = edges.collect();
            let accepts = |dfa: &Self, state: Option<StateId>| {
                state.is_some_and(|state| dfa.states[state].accepting)
            };
            let accepting = op.accepts(accepts(self, pair.0), accepts(other, pair.1));
            states.push(State { accepting, edges });
        }
        Ok(Self::of(states))
    }

    /// What can be read in a pair of states, and where that leads on each side.
    pub(super) fn pieces(&self, other: &Self, pair: Pair) -> Vec<Piece<(Side, StateId)>> {
        let left = pair.0.map_or(&[][..], |left| &self.states[left].edges);
        let right = pair.1.map_or(&[][..], |right| &other.states[right].edges);
        cut(&tagged(left, right))
    }
}

/// Where two automata are; `None` if no word can be accepted any more.
pub(super) type Pair = (Option<StateId>, Option<StateId>);

/// Where a piece leads: deterministic automata have one state for each side at most.
pub(super) fn pair_of(tos: &[(Side, StateId)]) -> Pair {
    let of = |side: Side| tos.iter().find(|(is, _)| *is == side).map(|&(_, to)| to);
    (of(Side::Left), of(Side::Right))
}

#[derive(Clone, Copy)]
enum Operation {
    Union,
    Intersection,
    Difference,
}

impl Operation {
    fn accepts(self, left: bool, right: bool) -> bool {
        match self {
            Self::Union => left || right,
            Self::Intersection => left && right,
            Self::Difference => left && !right,
        }
    }

    /// Whether a word may be accepted from there on.
    fn goes_on(self, (left, right): Pair) -> bool {
        match self {
            Self::Union => true,
            Self::Intersection => left.is_some() && right.is_some(),
            Self::Difference => left.is_some(),
        }
    }
}

/// A state with edges in the order of least letters, and none without letters.
pub(super) fn ordered(accepting: bool, mut edges: Vec<Edge>) -> State {
    edges.retain(|edge| !edge.letters.is_empty());
    edges.sort_by_key(|edge| edge.letters.least());
    State { accepting, edges }
}

fn is_deterministic(state: &State) -> bool {
    let labelled: Vec<(&Letters, usize)> =
        state.edges.iter().enumerate().map(|(i, edge)| (&edge.letters, i)).collect();
    cut(&labelled).iter().all(|(_, edges)| edges.len() == 1)
}
