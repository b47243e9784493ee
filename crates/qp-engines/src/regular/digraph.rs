//! Directed graphs, and the simple cycles through a node.

use std::hash::Hash;

use qp_base::{Map, Set};

/// A graph whose edges are labelled.
pub(super) struct Digraph<N, E> {
    pub(super) next: Map<N, Vec<(E, N)>>,
    back: Map<N, Vec<N>>,
}

impl<N, E> Default for Digraph<N, E> {
    fn default() -> Self {
        Self { next: Map::default(), back: Map::default() }
    }
}

impl<N: Copy + Eq + Hash, E: PartialEq> Digraph<N, E> {
    /// Adds an edge; says whether it is new.
    pub(super) fn add(&mut self, from: N, edge: E, to: N) -> bool {
        let (next, edge) = (self.next.entry(from).or_default(), (edge, to));
        let is_new = !next.contains(&edge);
        if is_new {
            next.push(edge);
            self.back.entry(to).or_default().push(from);
        }
        is_new
    }

    /// Shows the simple cycles through a node of up to so many edges, short ones first, until it is said that there are
    /// enough, or so many edges were followed.
    pub(super) fn cycles<'a>(
        &'a self,
        home: N,
        length_max: usize,
        steps_max: usize,
        note: impl FnMut(&[&'a (E, N)]) -> bool,
    ) {
        let distances = self.distances(home, length_max);
        let (path, met) = (Vec::new(), Set::default());
        let mut walk = Walk { graph: self, home, distances, path, met, left: steps_max, note };
        for length in 1..=length_max {
            walk.go(home, length);
        }
    }

    /// How many steps it takes at least to get back to a node, below a limit.
    fn distances(&self, home: N, limit: usize) -> Map<N, usize> {
        let mut distances: Map<N, usize> = Map::default();
        distances.insert(home, 0);
        let mut now = vec![home];
        for distance in 1..limit {
            let mut before = Vec::new();
            for node in now {
                for &from in self.back.get(&node).into_iter().flatten() {
                    distances.entry(from).or_insert_with(|| {
                        before.push(from);
                        distance
                    });
                }
            }
            now = before;
        }
        distances
    }
}

struct Walk<'a, N, E, F> {
    graph: &'a Digraph<N, E>,
    home: N,
    distances: Map<N, usize>,
    path: Vec<&'a (E, N)>,
    met: Set<N>,
    /// How many edges may still be followed.
    left: usize,
    note: F,
}

impl<'a, N: Copy + Eq + Hash, E, F: FnMut(&[&'a (E, N)]) -> bool> Walk<'a, N, E, F> {
    /// Finds the cycles that go on from here and end after so many more steps. As deep as cycles are long.
    fn go(&mut self, here: N, length: usize) {
        for edge in self.graph.next.get(&here).into_iter().flatten() {
            if self.left == 0 {
                return;
            }
            self.left -= 1;
            self.path.push(edge);
            let to = edge.1;
            if to == self.home {
                if length == 1 && (self.note)(&self.path) {
                    self.left = 0;
                }
            } else if self.distances.get(&to).is_some_and(|&distance| distance < length)
                && self.met.insert(to)
            {
                self.go(to, length - 1);
                self.met.remove(&to);
            }
            self.path.pop();
        }
    }
}
