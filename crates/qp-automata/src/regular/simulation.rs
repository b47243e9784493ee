//! Which states can do whatever others can.

use super::{Edge, Letters, Nfa, StateId};

/// For states p of one automaton and q of another: whether q accepts if p does, and can follow each edge of p to a
/// state of which the same is true again. Then each word that is accepted from p is accepted from q.
pub(super) struct Simulation {
    /// How many states the other automaton has.
    width: usize,
    holds: Vec<bool>,
}

/// Above this many pairs of edges it costs more than it saves: seconds instead of milliseconds.
const EDGE_PAIRS_MAX: usize = 1_000_000;

impl Simulation {
    /// The greatest such relation; `None` if that is too much work. With n and m edges, O(n m) pairs of states are
    /// looked at again, each in the time that its edges take.
    pub(super) fn between(left: &Nfa, right: &Nfa) -> Option<Self> {
        let n_edges = |nfa: &Nfa| nfa.states().iter().map(|state| state.edges.len()).sum::<usize>();
        let width = right.states().len();
        let pairs = n_edges(left).checked_mul(n_edges(right))?.max(left.states().len() * width);
        if pairs > EDGE_PAIRS_MAX {
            return None;
        }
        let mut this = Self { width, holds: vec![true; left.states().len() * width] };
        let (into_left, into_right) = (sources(left), sources(right));
        let mut todo: Vec<(StateId, StateId)> = Vec::new();
        let refute = |this: &mut Self, p: StateId, q: StateId, todo: &mut Vec<_>| {
            if this.holds(p, q) && !this.follows(left, p, right, q) {
                let place = this.place(p, q);
                this.holds[place] = false;
                todo.push((p, q));
            }
        };
        for p in left.states().ids() {
            right.states().ids().for_each(|q| refute(&mut this, p, q, &mut todo));
        }
        while let Some((p, q)) = todo.pop() {
            for &p in &into_left[p.index()] {
                into_right[q.index()].iter().for_each(|&q| refute(&mut this, p, q, &mut todo));
            }
        }
        Some(this)
    }

    /// Whether every word that is accepted from `p` is known to be accepted from `q`.
    pub(super) fn holds(&self, p: StateId, q: StateId) -> bool {
        self.holds[self.place(p, q)]
    }

    fn place(&self, p: StateId, q: StateId) -> usize {
        p.index() * self.width + q.index()
    }

    /// Whether `q` can follow `p` for one letter.
    fn follows(&self, left: &Nfa, p: StateId, right: &Nfa, q: StateId) -> bool {
        let (p, q) = (&left.states()[p], &right.states()[q]);
        let followed = |edge: &Edge| {
            let good = q.edges.iter().filter(|other| self.holds(edge.to, other.to));
            let good = Letters::union_of(good.map(|other| &other.letters));
            edge.letters == good || edge.letters.difference(&good).is_empty()
        };
        (!p.accepting || q.accepting) && p.edges.iter().all(followed)
    }
}

/// For each state those with an edge to it.
fn sources(nfa: &Nfa) -> Vec<Vec<StateId>> {
    let mut sources = vec![Vec::new(); nfa.states().len()];
    for (id, state) in nfa.states().iter_enumerated() {
        state.edges.iter().for_each(|edge| sources[edge.to.index()].push(id));
    }
    sources
}
