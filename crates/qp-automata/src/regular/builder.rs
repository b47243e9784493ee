//! Automata made state by state.

use std::ops::Range;

use qp_base::IndexVec;

use super::{Edge, Exponents, Letter, Letters, Nfa, State, StateId};

/// An automaton that is being made. Unlike a finished one it may have *jumps*: edges that read nothing.
///
/// ```
/// use qp_automata::regular::{Builder, Letter};
///
/// let [a, b] = [Letter::new(0), Letter::new(1)];
/// // Any number of times a b, then a.
/// let mut builder = Builder::new();
/// let start = builder.start();
/// let again = builder.path(start, &[a, b]);
/// builder.jump(again, start);
/// let end = builder.path(start, &[a]);
/// builder.accept(end);
/// let automaton = builder.build();
/// assert!(automaton.accepts(&[a, b, a, b, a]));
/// assert!(!automaton.accepts(&[a, b]));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Builder {
    starts: Vec<StateId>,
    states: IndexVec<StateId, State>,
    jumps: IndexVec<StateId, Vec<StateId>>,
}

impl Builder {
    /// Without states.
    pub fn new() -> Self {
        Self::default()
    }

    /// A new state.
    pub fn state(&mut self) -> StateId {
        self.jumps.push(Vec::new());
        self.states.push(State::default())
    }

    /// A new state in which a word may begin.
    pub fn start(&mut self) -> StateId {
        let state = self.state();
        self.starts.push(state);
        state
    }

    /// Lets words begin in a state.
    pub fn start_at(&mut self, state: StateId) {
        self.starts.push(state);
    }

    /// Lets words end in a state.
    pub fn accept(&mut self, state: StateId) {
        self.states[state].accepting = true;
    }

    /// An edge that reads any one of some letters.
    pub fn edge(&mut self, from: StateId, letters: impl Into<Letters>, to: StateId) {
        let letters = letters.into();
        if !letters.is_empty() {
            self.states[from].edges.push(Edge { letters, to });
        }
    }

    /// An edge that reads nothing.
    pub fn jump(&mut self, from: StateId, to: StateId) {
        self.jumps[from].push(to);
    }

    /// New states that read a word one letter after the other, and the last of them.
    pub fn path(&mut self, from: StateId, word: &[Letter]) -> StateId {
        word.iter().fold(from, |now, &letter| {
            let next = self.state();
            self.edge(now, letter, next);
            next
        })
    }

    /// Copies states with their edges, but neither where words begin nor where they end. The copy of the
    /// state with number `n` has number `n` plus the result.
    pub fn copy(&mut self, states: &IndexVec<StateId, State>) -> usize {
        let offset = self.states.len();
        for state in states {
            let copy = self.state();
            let moved = state.edges.iter().map(|edge| edge.shifted(offset));
            self.states[copy].edges = moved.collect();
        }
        offset
    }

    /// Reads a word as many times as `times` says, from a state on, and accepts there.
    pub fn accept_powers(&mut self, from: StateId, word: &[Letter], times: &Exponents) {
        self.accept_lasso(from, times.period(), times, |builder, now, _| builder.path(now, word));
    }

    /// Accepts the prefixes of `word word word...` whose lengths are in a set, from a state on. The word is
    /// not empty.
    pub fn accept_prefixes(&mut self, from: StateId, word: &[Letter], lengths: &Exponents) {
        assert!(
            !word.is_empty(),
            "an empty word has no long prefixes, however often it is repeated"
        );
        let period = least_common_multiple(lengths.period(), word.len());
        self.accept_lasso(from, period, lengths, |builder, now, i| {
            builder.path(now, &word[i % word.len()..=i % word.len()])
        });
    }

    /// States in a row, of which the last `period` go round; those with numbers in `accepted` accept. `step`
    /// makes the states from one to the next.
    fn accept_lasso(
        &mut self,
        from: StateId,
        period: usize,
        accepted: &Exponents,
        step: impl Fn(&mut Self, StateId, usize) -> StateId,
    ) {
        let Some(last) = accepted.last_needed(period) else { return };
        let (mut now, mut back) = (from, from);
        for i in 0..=last {
            if i == accepted.first_period() {
                back = now;
            }
            if accepted.contains(i) {
                // A state of its own, because edges may lead back to `from`.
                let end = self.state();
                self.jump(now, end);
                self.accept(end);
            }
            if i < last || !accepted.is_finite() {
                now = step(self, now, i);
            }
        }
        if !accepted.is_finite() {
            self.jump(now, back);
        }
    }

    /// Gives the edges of some states other letters, and adds the jumps that `change` asks for.
    pub(super) fn change_edges(
        &mut self,
        states: Range<usize>,
        change: impl Fn(StateId, &Edge, &mut Vec<(StateId, StateId)>) -> Letters,
    ) {
        let mut jumps = Vec::new();
        for id in states.map(StateId::new) {
            for edge in &mut self.states[id].edges {
                edge.letters = change(id, edge, &mut jumps);
            }
            self.states[id].edges.retain(|edge| !edge.letters.is_empty());
        }
        for (from, to) in jumps {
            self.jump(from, to);
        }
    }

    /// The automaton, with edges in place of jumps, without states that no accepted word passes. With n states,
    /// m edges and j jumps, time O(n (m + j)), but linear without jumps.
    pub fn build(self) -> Nfa {
        let mut seen = vec![None; self.states.len()];
        let states = self.states.ids().map(|id| self.finished(id, &mut seen)).collect();
        Nfa::of(self.starts, states).trim()
    }

    /// A state with what can be read after jumps.
    fn finished(&self, id: StateId, seen: &mut [Option<StateId>]) -> State {
        let landed = self.landed(id, seen);
        let accepting = landed.iter().any(|&state| self.states[state].accepting);
        let edges = landed.iter().flat_map(|&state| &self.states[state].edges);
        State { accepting, edges: joined(edges.collect()) }
    }

    /// A state and those that jumps lead to. What was `seen` is marked with the state it was seen from.
    fn landed(&self, id: StateId, seen: &mut [Option<StateId>]) -> Vec<StateId> {
        let (mut landed, mut next) = (vec![id], 0);
        seen[id.index()] = Some(id);
        while let Some(&state) = landed.get(next) {
            next += 1;
            for &to in &self.jumps[state] {
                if seen[to.index()] != Some(id) {
                    seen[to.index()] = Some(id);
                    landed.push(to);
                }
            }
        }
        landed
    }
}

impl Edge {
    /// The same edge between states that have moved.
    pub(super) fn shifted(&self, offset: usize) -> Self {
        Self { letters: self.letters.clone(), to: StateId::new(self.to.index() + offset) }
    }
}

/// One edge for each state that edges lead to, in the order of those states.
pub(super) fn joined(mut edges: Vec<&Edge>) -> Vec<Edge> {
    edges.sort_by_key(|edge| edge.to);
    let groups = edges.chunk_by(|a, b| a.to == b.to);
    let join = |group: &[&Edge]| Edge {
        letters: Letters::union_of(group.iter().map(|edge| &edge.letters)),
        to: group[0].to,
    };
    groups.map(join).collect()
}

pub(crate) fn least_common_multiple(a: usize, b: usize) -> usize {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    a / x * b
}
