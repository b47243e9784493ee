//! The graph of controls, as far as it is known, and its simple cycles.

use std::sync::Arc;

use qp_automata::loops::{Effect, Op};
use qp_base::{IndexVec, Map, Set};

use super::joint::Cycles;
use super::world::{ControlId, Does, Ops};

/// So many edges are followed to find the cycles through one control.
const STEPS_MAX: usize = 4_000;
/// So many cycles through one control are used.
const CYCLES_MAX: usize = 40;

/// Steps between controls that can be taken whatever queues hold, but for what they take.
#[derive(Default)]
pub(super) struct Graph {
    edges: IndexVec<ControlId, Vec<(ControlId, Ops)>>,
    back: IndexVec<ControlId, Vec<ControlId>>,
    n_edges: usize,
    /// The version of the letters for which these are the steps.
    pub(super) version: u64,
    /// The cycles of up to a length through a control, and how many edges there were when they were found.
    known: Map<(ControlId, usize), (usize, Arc<Cycles>)>,
}

impl Graph {
    /// Adds an edge. What depends on more than what is taken from the front is on no cycle.
    pub(super) fn add(&mut self, from: ControlId, does: Does, to: ControlId) {
        if !does.is_plain {
            return;
        }
        while self.edges.len() <= from.index().max(to.index()) {
            self.edges.push(Vec::new());
            self.back.push(Vec::new());
        }
        if !self.edges[from].contains(&(to, does.ops.clone())) {
            self.edges[from].push((to, does.ops));
            self.back[to].push(from);
            self.n_edges += 1;
        }
    }

    /// The controls from which edges lead.
    pub(super) fn sources(&self) -> Vec<ControlId> {
        let sources = self.edges.iter_enumerated().filter(|(_, edges)| !edges.is_empty());
        sources.map(|(control, _)| control).collect()
    }

    /// Keeps some of the edges of a control.
    pub(super) fn retain(&mut self, from: ControlId, keep: impl Fn(&(ControlId, Ops)) -> bool) {
        let before = self.edges[from].len();
        self.edges[from].retain(keep);
        if self.edges[from].len() < before {
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
        let mut walk = Walk {
            graph: self,
            home: control,
            distances: self.distances(control, length_max),
            path: vec![control],
            done: Vec::new(),
            seen: Set::default(),
            found: Vec::new(),
            n_queues,
            steps: 0,
        };
        for length in 1..=length_max {
            walk.go(control, length);
        }
        let found = Arc::new(Cycles::of(&walk.found, n_queues));
        self.known.insert((control, length_max), (self.n_edges, found.clone()));
        found
    }

    /// How many steps it takes at least to get back to a control, up to a limit.
    fn distances(&self, home: ControlId, most: usize) -> Map<ControlId, usize> {
        let mut distances: Map<ControlId, usize> = Map::default();
        distances.insert(home, 0);
        let (mut now, mut distance) = (vec![home], 0);
        while !now.is_empty() && distance < most {
            distance += 1;
            let mut next = Vec::new();
            for control in now {
                for &before in self.back.get(control).into_iter().flatten() {
                    distances.entry(before).or_insert_with(|| {
                        next.push(before);
                        distance
                    });
                }
            }
            now = next;
        }
        distances
    }
}

struct Walk<'a> {
    graph: &'a Graph,
    home: ControlId,
    distances: Map<ControlId, usize>,
    path: Vec<ControlId>,
    done: Vec<Ops>,
    seen: Set<Vec<Effect>>,
    found: Vec<Vec<Effect>>,
    n_queues: usize,
    steps: usize,
}

impl Walk<'_> {
    /// Finds the cycles that go on from here and end after so many more steps.
    fn go(&mut self, here: ControlId, left: usize) {
        for (to, ops) in self.graph.edges.get(here).into_iter().flatten() {
            let to = *to;
            self.steps += 1;
            if self.steps > STEPS_MAX || self.found.len() >= CYCLES_MAX {
                return;
            }
            self.done.push(ops.clone());
            if to == self.home {
                if left == 1 {
                    self.note();
                }
            } else if self.distances.get(&to).is_some_and(|&distance| distance < left)
                && !self.path.contains(&to)
            {
                self.path.push(to);
                self.go(to, left - 1);
                self.path.pop();
            }
            self.done.pop();
        }
    }

    fn note(&mut self) {
        let effects = effects(&self.done, self.n_queues);
        if effects.iter().any(|effect| *effect != Effect::default())
            && self.seen.insert(effects.clone())
        {
            self.found.push(effects);
        }
    }
}

/// What steps do to each queue, one after the other.
pub(super) fn effects(done: &[Ops], n_queues: usize) -> Vec<Effect> {
    let mut ops: Vec<Vec<Op>> = vec![Vec::new(); n_queues];
    for (queue, op) in done.iter().flat_map(|ops| ops.iter()) {
        ops[queue.index()].push(*op);
    }
    ops.iter().map(|ops| Effect::of(ops)).collect()
}
