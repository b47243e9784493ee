//! Which states can do whatever others can.

use super::{Edge, Letters, Nfa, State, StateId};

/// For states p of one automaton and q of another: whether q accepts if p does, and can follow each edge of p to a
/// state of which the same is true again. Then each word that is accepted from p is accepted from q.
pub(super) struct Simulation {
    /// How many states the other automaton has.
    width: usize,
    holds: Vec<bool>,
}

/// Above this much work it costs more than it saves: seconds instead of milliseconds.
const WORK_MAX: usize = 2_000_000;

impl Simulation {
    /// The greatest such relation; `None` if that is too much work. With n edges here, and d edges at each of the m
    /// states there, time O(n m d²).
    pub(super) fn between(left: &Nfa, right: &Nfa) -> Option<Self> {
        let width = right.states().len();
        if work(left, right) > WORK_MAX {
            return None;
        }
        let mut this = Self { width, holds: vec![true; left.states().len() * width] };
        let (into_left, into_right) = (sources(left), sources(right));
        let mut todo: Vec<(StateId, StateId)> = Vec::new();
        for (id, p) in left.states().iter_enumerated() {
            for (other, q) in right.states().iter_enumerated() {
                let accepts = !p.accepting || q.accepting;
                if !accepts || !p.edges.iter().all(|edge| this.follows(edge, q)) {
                    this.refute(id, other, &mut todo);
                }
            }
        }
        while let Some((p, q)) = todo.pop() {
            for &(before, edge) in &into_left[p.index()] {
                for &(other, _) in &into_right[q.index()] {
                    if this.holds(before, other) && !this.follows(edge, &right.states()[other]) {
                        this.refute(before, other, &mut todo);
                    }
                }
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

    fn refute(&mut self, p: StateId, q: StateId, todo: &mut Vec<(StateId, StateId)>) {
        let place = self.place(p, q);
        self.holds[place] = false;
        todo.push((p, q));
    }

    /// Whether an edge can be followed from `q`.
    fn follows(&self, edge: &Edge, q: &State) -> bool {
        let good = q.edges.iter().filter(|other| self.holds(edge.to, other.to));
        let good = Letters::union_of(good.map(|other| &other.letters));
        edge.letters == good || edge.letters.difference(&good).is_empty()
    }
}

/// How many edges are looked at, at most.
fn work(left: &Nfa, right: &Nfa) -> usize {
    let edges = left.states().iter().map(|state| state.edges.len()).sum::<usize>();
    let pairs = right.states().iter().map(|state| state.edges.len().pow(2)).sum::<usize>();
    edges.saturating_mul(pairs).max(left.states().len().saturating_mul(right.states().len()))
}

/// For each state the edges to it, and where they come from.
fn sources(nfa: &Nfa) -> Vec<Vec<(StateId, &Edge)>> {
    let mut sources = vec![Vec::new(); nfa.states().len()];
    for (id, state) in nfa.states().iter_enumerated() {
        for edge in &state.edges {
            sources[edge.to.index()].push((id, edge));
        }
    }
    sources
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::regular::Letter;
    use crate::regular::tests::Dice;

    /// The definition, letter by letter, until nothing changes.
    fn naive(left: &Nfa, right: &Nfa) -> Vec<bool> {
        let width = right.states().len();
        let mut holds = vec![true; left.states().len() * width];
        loop {
            let before = holds.clone();
            for (i, p) in left.states().iter().enumerate() {
                for (j, q) in right.states().iter().enumerate() {
                    let follows = |edge: &Edge, letter: Letter| {
                        let good =
                            |other: &&Edge| before[edge.to.index() * width + other.to.index()];
                        q.edges.iter().filter(good).any(|other| other.letters.contains(letter))
                    };
                    let letters = [0, 1, 2, 7].map(Letter::new);
                    let every = |edge: &Edge| {
                        let read = |letter: &Letter| edge.letters.contains(*letter);
                        letters.into_iter().filter(read).all(|letter| follows(edge, letter))
                    };
                    holds[i * width + j] =
                        (!p.accepting || q.accepting) && p.edges.iter().all(every);
                }
            }
            if holds == before {
                return holds;
            }
        }
    }

    #[test]
    fn it_is_the_greatest_relation_of_its_kind() {
        let mut dice = Dice(61);
        let (mut yes, mut no) = (0, 0);
        for _ in 0..400 {
            let (left, right) = (dice.nfa(5), dice.nfa(5));
            let found = Simulation::between(&left, &right).expect("it is small");
            assert_eq!(found.holds, naive(&left, &right), "{left:?}\n{right:?}");
            yes += found.holds.iter().filter(|holds| **holds).count();
            no += found.holds.iter().filter(|holds| !**holds).count();
        }
        assert!(yes > 200 && no > 200, "both occur often: {yes} and {no}");
    }

    #[test]
    fn too_much_work_is_left_alone() {
        let words: Vec<[Letter; 1]> = (0..200).map(|i| [Letter::new(i)]).collect();
        let mut wide = crate::regular::Builder::new();
        let start = wide.start();
        for word in &words {
            let end = wide.path(start, word);
            wide.accept(end);
        }
        let wide = wide.build();
        assert!(Simulation::between(&wide, &wide).is_none());
    }
}
