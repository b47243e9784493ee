//! The worklist algorithm for monotone data-flow problems (Kildall, POPL 1973), and two instances of it.
//!
//! [`fixpoint`] is the algorithm itself: rules read cells and add to cells, and a rule is applied again when a
//! cell has changed that it has read. Which cells those are need not be known before, so it also solves
//! systems in which a rule says where its result goes (side-effecting constraints; Apinis, Seidl and Vojdani,
//! APLAS 2012), such as points-to. [`solve`] is the textbook form on a [`Graph`]; [`reach`] is reachability.
//!
//! Values are joined, never replaced. If the rules are monotone and every ascending chain is finite, it ends, and
//! with the least solution, whatever the order. The order is fixed all the same: rules are numbered, as
//! instructions are, and the first that is due in the direction of the flow comes next.
//!
//! ```
//! use std::collections::BTreeSet;
//! use qp_dataflow::{Direction, Graph, solve};
//!
//! // 0: read a; 1: a = 1, and back to 0. Which variables are live before each?
//! let graph = Graph::new(vec![vec![1], vec![0]]);
//! let reads = vec![BTreeSet::from(["a"]), BTreeSet::new()];
//! let live = solve(&graph, Direction::Backward, reads, |_, to, after| {
//!     let mut before = after.clone();
//!     if to == 1 {
//!         before.remove("a");
//!     }
//!     before
//! });
//! assert_eq!(live, [BTreeSet::from(["a"]), BTreeSet::new()]);
//! ```

use std::collections::BTreeSet;

/// Values that can be joined; a new one is above all that went into it.
pub trait Lattice {
    /// Goes up to the least value that is above both; whether that is another one.
    fn join(&mut self, other: &Self) -> bool;
}

impl Lattice for bool {
    fn join(&mut self, other: &Self) -> bool {
        let changed = *other && !*self;
        *self |= other;
        changed
    }
}

impl<T: Ord + Clone> Lattice for BTreeSet<T> {
    fn join(&mut self, other: &Self) -> bool {
        let before = self.len();
        self.extend(other.iter().cloned());
        self.len() > before
    }
}

/// Point by point; both have the same length.
impl<L: Lattice> Lattice for Vec<L> {
    fn join(&mut self, other: &Self) -> bool {
        assert_eq!(self.len(), other.len(), "these vectors are not about the same things");
        self.iter_mut().zip(other).fold(false, |changed, (mine, other)| mine.join(other) | changed)
    }
}

/// Whether values flow along the edges of a graph or against them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// From a node to its successors; small numbers come first.
    Forward,
    /// From a node to its predecessors; large numbers come first.
    Backward,
}

/// A directed graph, by the successors of each node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Graph {
    successors: Vec<Vec<usize>>,
}

impl Graph {
    /// The graph with these successors; all of them are nodes.
    pub fn new(successors: Vec<Vec<usize>>) -> Self {
        let n_nodes = successors.len();
        assert!(successors.iter().flatten().all(|&to| to < n_nodes), "an edge leads to no node");
        Self { successors }
    }

    /// The graph whose edges are those of this one, turned round.
    #[must_use]
    pub fn reversed(&self) -> Self {
        let mut successors = vec![Vec::new(); self.successors.len()];
        for (from, all) in self.successors.iter().enumerate() {
            for &to in all {
                successors[to].push(from);
            }
        }
        Self { successors }
    }
}

/// Who has read what, and which rules are due.
#[derive(Debug)]
pub struct Dependencies {
    readers: Vec<BTreeSet<usize>>,
    due: BTreeSet<usize>,
    now: usize,
}

impl Dependencies {
    /// The rule that is being applied reads a cell: it is applied again when the cell changes.
    pub fn read(&mut self, cell: usize) {
        if self.readers.len() <= cell {
            self.readers.resize(cell + 1, BTreeSet::new());
        }
        self.readers[cell].insert(self.now);
    }

    /// A cell has changed.
    pub fn changed(&mut self, cell: usize) {
        if let Some(readers) = self.readers.get(cell) {
            self.due.extend(readers);
        }
    }
}

/// Applies each rule at least once, and again until none of the cells that it has read changes any more.
pub fn fixpoint(
    n_rules: usize,
    direction: Direction,
    mut apply: impl FnMut(usize, &mut Dependencies),
) {
    let due = (0..n_rules).collect();
    let mut dependencies = Dependencies { readers: Vec::new(), due, now: 0 };
    let next = match direction {
        Direction::Forward => BTreeSet::pop_first,
        Direction::Backward => BTreeSet::pop_last,
    };
    while let Some(rule) = next(&mut dependencies.due) {
        dependencies.now = rule;
        apply(rule, &mut dependencies);
    }
}

/// The least values that are above `values` and above what flows into them: `transfer` says what becomes of the
/// value of its first node on the way to its second.
pub fn solve<L: Lattice>(
    graph: &Graph,
    direction: Direction,
    mut values: Vec<L>,
    mut transfer: impl FnMut(usize, usize, &L) -> L,
) -> Vec<L> {
    assert_eq!(graph.successors.len(), values.len(), "every node has a value");
    let reversed = (direction == Direction::Backward).then(|| graph.reversed());
    let targets = &reversed.as_ref().unwrap_or(graph).successors;
    fixpoint(values.len(), direction, |from, dependencies| {
        dependencies.read(from);
        for &to in &targets[from] {
            let value = transfer(from, to, &values[from]);
            if values[to].join(&value) {
                dependencies.changed(to);
            }
        }
    });
    values
}

/// Which nodes can be reached from these, themselves included.
pub fn reach(
    graph: &Graph,
    direction: Direction,
    from: impl IntoIterator<Item = usize>,
) -> Vec<bool> {
    let mut reached = vec![false; graph.successors.len()];
    from.into_iter().for_each(|node| reached[node] = true);
    solve(graph, direction, reached, |_, _, &reached| reached)
}

#[cfg(test)]
mod tests;
