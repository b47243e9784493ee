//! The worklist algorithm for monotone data-flow problems (Kildall, POPL 1973), and two instances of it.
//!
//! [`fixpoint`] is the algorithm itself: rules read cells and add to cells, and a rule is applied again when a
//! cell has changed that it has read. Which cells those are need not be known before, so it also solves
//! systems in which a rule says where its result goes (side-effecting constraints; Apinis, Seidl and Vojdani,
//! APLAS 2012), such as points-to. [`solve`] is the textbook form on a [`Graph`]; [`reach`] is reachability, and
//! [`components`] are what reach each other.
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

use std::borrow::Cow;
use std::collections::{BTreeSet, BinaryHeap};

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

    fn in_direction(&self, direction: Direction) -> Cow<'_, Self> {
        match direction {
            Direction::Forward => Cow::Borrowed(self),
            Direction::Backward => Cow::Owned(self.reversed()),
        }
    }
}

/// The rules that are due, and who has read what.
#[derive(Debug, Default)]
pub struct Worklist {
    /// The numbers of rules; counted down from the largest if small ones come first.
    heap: BinaryHeap<usize>,
    is_due: Vec<bool>,
    is_forward: bool,
    readers: Vec<BTreeSet<usize>>,
    now: usize,
}

impl Worklist {
    /// A rule is to be applied, perhaps again.
    pub fn add(&mut self, rule: usize) {
        if self.is_due.len() <= rule {
            self.is_due.resize(rule + 1, false);
        }
        if !std::mem::replace(&mut self.is_due[rule], true) {
            self.heap.push(if self.is_forward { usize::MAX - rule } else { rule });
        }
    }

    /// The rule that is being applied reads a cell: it is applied again when the cell changes.
    pub fn read(&mut self, cell: usize) {
        if self.readers.len() <= cell {
            self.readers.resize(cell + 1, BTreeSet::new());
        }
        self.readers[cell].insert(self.now);
    }

    /// A cell has changed.
    pub fn changed(&mut self, cell: usize) {
        let readers = self.readers.get_mut(cell).map(std::mem::take);
        readers.into_iter().flatten().for_each(|rule| self.add(rule));
    }

    fn next(&mut self) -> Option<usize> {
        let first = self.heap.pop()?;
        self.now = if self.is_forward { usize::MAX - first } else { first };
        self.is_due[self.now] = false;
        Some(self.now)
    }
}

/// Applies these rules, and again those that are added, until none is due.
pub fn fixpoint(
    rules: impl IntoIterator<Item = usize>,
    direction: Direction,
    mut apply: impl FnMut(usize, &mut Worklist),
) {
    let is_forward = direction == Direction::Forward;
    let mut worklist = Worklist { is_forward, ..Worklist::default() };
    rules.into_iter().for_each(|rule| worklist.add(rule));
    while let Some(rule) = worklist.next() {
        apply(rule, &mut worklist);
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
    let turned = graph.in_direction(direction);
    fixpoint(0..values.len(), direction, |from, worklist| {
        for &to in &turned.successors[from] {
            let value = transfer(from, to, &values[from]);
            if values[to].join(&value) {
                worklist.add(to);
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
    let turned = graph.in_direction(direction);
    let mut reached = vec![false; graph.successors.len()];
    let from = from.into_iter().inspect(|&node| reached[node] = true).collect::<Vec<_>>();
    fixpoint(from, direction, |from, worklist| {
        for &to in &turned.successors[from] {
            if reached[to].join(&true) {
                worklist.add(to);
            }
        }
    });
    reached
}

/// For each node the number of its strongly connected component (Tarjan, 1972), with a stack of its own, so that long
/// ways do not overflow ours. Where a component leads to has smaller numbers.
pub fn components(graph: &Graph) -> Vec<usize> {
    let n_nodes = graph.successors.len();
    let (mut met, mut low, mut of) = (vec![0; n_nodes], vec![0; n_nodes], vec![None; n_nodes]);
    let (mut n_met, mut n_components, mut open) = (0, 0, Vec::new());
    for root in 0..n_nodes {
        let mut path = if met[root] == 0 { vec![(root, 0)] } else { Vec::new() };
        while let Some((node, next)) = path.last_mut() {
            let node = *node;
            if met[node] == 0 {
                n_met += 1;
                (met[node], low[node]) = (n_met, n_met);
                open.push(node);
            }
            if let Some(&to) = graph.successors[node].get(*next) {
                *next += 1;
                if met[to] == 0 {
                    path.push((to, 0));
                } else if of[to].is_none() {
                    low[node] = low[node].min(met[to]);
                }
                continue;
            }
            path.pop();
            if let Some(&(above, _)) = path.last() {
                low[above] = low[above].min(low[node]);
            }
            if low[node] == met[node] {
                let begin = open.iter().rposition(|&it| it == node).unwrap_or(0);
                open.drain(begin..).for_each(|member| of[member] = Some(n_components));
                n_components += 1;
            }
        }
    }
    of.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests;
