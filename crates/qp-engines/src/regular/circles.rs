//! Cycles of control states that accept, and what queues must hold so that they can be taken for ever.

use qp_automata::loops::{Effect, Product};
use qp_base::{Budget, Exhausted, Map, Set};

use super::cycles::effects;
use super::digraph::Digraph;
use super::row_graph::{Pairs, RowGraph};
use super::world::{By, ControlId};

/// So long are simple cycles at most.
const LENGTH_MAX: usize = 12;
/// So many steps are followed to find the cycles through one node.
const STEPS_MAX: usize = 2_000;
/// So many cycles through one node are used, and so many of them are taken one after another.
const CYCLES_MAX: usize = 30;
const JOINED_MAX: usize = 4;

/// Where machines are, and a state of the automaton of wrong runs.
pub(super) type Node = (ControlId, usize);

/// A step between nodes: who does what, and where it leads.
pub(super) type Stride = (By, Node);

/// A cycle through a node that can be taken for ever with some contents.
#[derive(Clone)]
pub(super) struct Circle {
    pub(super) strides: Vec<Stride>,
    /// What it does to each queue.
    pub(super) effects: Vec<Effect>,
}

/// The cycles through accepting nodes that can be taken for ever with something that a set has there, for each node.
pub(super) fn circles(
    graph: &RowGraph,
    pairs: &Pairs,
    automata: &Budget,
) -> Result<Map<Node, Vec<Circle>>, Exhausted> {
    let nodes = Nodes::new(graph, pairs);
    let mut found: Map<Node, Vec<Circle>> = Map::default();
    for &home in &nodes.order {
        if !pairs.accepting[home.1] {
            continue;
        }
        let rows: Vec<&Product> =
            graph.rows.iter().filter(|row| row.0 == home.0).map(|row| &row.1).collect();
        let n_queues = rows.first().map_or(0, |product| product.0.len());
        let simple = nodes.through(home);
        let joined = simple.iter().take(JOINED_MAX).flat_map(|a| {
            let others = simple.iter().take(JOINED_MAX).filter(move |b| *b != a);
            others.map(move |b| [&a[..], &b[..]].concat())
        });
        let all: Vec<Vec<Stride>> = simple.iter().cloned().chain(joined).collect();
        for strides in all {
            let effects = effects(strides.iter().flat_map(|(by, _)| by.ops.iter()), n_queues);
            if is_possible(&rows, &effects, automata)? {
                found.entry(home).or_default().push(Circle { strides, effects });
            }
        }
    }
    Ok(found)
}

/// Whether some row has a content with which this can be done for ever.
fn is_possible(
    rows: &[&Product],
    effects: &[Effect],
    automata: &Budget,
) -> Result<bool, Exhausted> {
    if effects.iter().any(|effect| effect.put().len() < effect.taken().len()) {
        return Ok(false);
    }
    'rows: for row in rows {
        for (language, effect) in row.0.iter().zip(effects) {
            if !effect.taken().is_empty()
                && language.intersection(&effect.iterable(), automata)?.is_empty()
            {
                continue 'rows;
            }
        }
        return Ok(true);
    }
    Ok(false)
}

/// The pairs by where machines are, whatever queues hold.
struct Nodes {
    order: Vec<Node>,
    graph: Digraph<Node, By>,
}

impl Nodes {
    fn new(graph: &RowGraph, pairs: &Pairs) -> Self {
        let mut nodes = Self { order: Vec::new(), graph: Digraph::default() };
        let node = |pair: usize| (graph.rows[pair / pairs.n_states].0, pair % pairs.n_states);
        let mut known = Set::default();
        for pair in (0..pairs.met.len()).filter(|&pair| pairs.met[pair]) {
            let from = node(pair);
            if known.insert(from) {
                nodes.order.push(from);
            }
            for step in &pairs.steps[pair] {
                if let Some(by) = step.by.clone() {
                    nodes.graph.add(from, by, node(step.to));
                }
            }
        }
        nodes
    }

    /// The simple cycles through a node, short ones first.
    fn through(&self, home: Node) -> Vec<Vec<Stride>> {
        let mut found: Vec<Vec<Stride>> = Vec::new();
        self.graph.cycles(home, LENGTH_MAX, STEPS_MAX, |path| {
            found.push(path.iter().map(|&stride| stride.clone()).collect());
            found.len() >= CYCLES_MAX
        });
        found
    }
}
