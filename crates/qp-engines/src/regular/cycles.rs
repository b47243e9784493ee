//! The graph of controls, as far as it is known, and its simple cycles.

use std::sync::Arc;

use qp_automata::loops::{Effect, Op};
use qp_base::{Map, Set};
use qp_machines::QueueId;

use super::digraph::Digraph;
use super::joint::Cycles;
use super::world::{ControlId, Does, Ops};

/// So many edges are followed to find the cycles through one control.
const STEPS_MAX: usize = 4_000;
/// So many cycles through one control are used.
const CYCLES_MAX: usize = 40;

/// Steps between controls that can be taken whatever queues hold, but for what they take.
#[derive(Default)]
pub(super) struct Graph {
    edges: Digraph<ControlId, Ops>,
    n_edges: usize,
    /// The version of the letters for which these are the steps.
    pub(super) version: u64,
    /// The cycles of up to a length through a control, and how many edges there were when they were found.
    known: Map<(ControlId, usize), (usize, Arc<Cycles>)>,
}

impl Graph {
    /// Adds an edge. What depends on more than what is taken from the front is on no cycle.
    pub(super) fn add(&mut self, from: ControlId, does: &Does, to: ControlId) {
        if does.is_plain && self.edges.add(from, does.ops.clone(), to) {
            self.n_edges += 1;
        }
    }

    /// The controls from which edges lead.
    pub(super) fn sources(&self) -> Vec<ControlId> {
        let with_edges = self.edges.next.iter().filter(|(_, edges)| !edges.is_empty());
        let mut sources: Vec<ControlId> = with_edges.map(|(&control, _)| control).collect();
        sources.sort_unstable();
        sources
    }

    /// Keeps some of the edges of a control.
    pub(super) fn retain(&mut self, from: ControlId, keep: impl Fn(&(Ops, ControlId)) -> bool) {
        let Some(edges) = self.edges.next.get_mut(&from) else { return };
        let before = edges.len();
        edges.retain(keep);
        if edges.len() < before {
            self.known.clear();
        }
    }

    /// What the simple cycles through a control do to its queues, one effect for each: short cycles first, none
    /// that do nothing.
    pub(super) fn cycles(
        &mut self,
        control: ControlId,
        length_max: usize,
        n_queues: usize,
    ) -> Arc<Cycles> {
        if let Some((n_edges, cycles)) = self.known.get(&(control, length_max))
            && *n_edges == self.n_edges
        {
            return cycles.clone();
        }
        let (mut seen, mut found) = (Set::default(), Vec::new());
        self.edges.cycles(control, length_max, STEPS_MAX, |path| {
            let effects = effects(path.iter().flat_map(|(ops, _)| ops.iter()), n_queues);
            let does_something = effects.iter().any(|effect| *effect != Effect::default());
            if does_something && seen.insert(effects.clone()) {
                found.push(effects);
            }
            found.len() >= CYCLES_MAX
        });
        let found = Arc::new(Cycles::of(&found, n_queues));
        self.known.insert((control, length_max), (self.n_edges, found.clone()));
        found
    }
}

/// What steps do to each queue, one after the other. Queues that come on the way of a cycle go before its end.
pub(super) fn effects<'a>(
    done: impl Iterator<Item = &'a (QueueId, Op)>,
    n_queues: usize,
) -> Vec<Effect> {
    let mut ops: Vec<Vec<Op>> = vec![Vec::new(); n_queues];
    for (queue, op) in done {
        if let Some(ops) = ops.get_mut(queue.index()) {
            ops.push(*op);
        }
    }
    ops.iter().map(|ops| Effect::of(ops)).collect()
}
