//! The graph together with an automaton, and its strongly connected components.

use qp_base::{Budget, Exhausted, Spent};
use qp_claim::Stays;
use qp_machines::MachineId;

use super::graph::{Graph, StepNumber};
use super::letters::Reader;
use crate::graph::{self, UNMET};

/// A place together with a state of the automaton: `place * states + state`.
pub(super) type Pair = usize;

/// The graph together with an automaton. Nothing of it is stored.
pub(super) struct Product<'a> {
    pub(super) graph: &'a Graph,
    pub(super) reader: &'a Reader,
}

/// A step of the product.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Hop {
    pub(super) from: Pair,
    pub(super) step: StepNumber,
    pub(super) to: Pair,
}

/// Components, numbered so that one leads only to those with smaller numbers.
pub(super) struct Components {
    /// For each pair: its component; [`UNMET`] if it cannot be met.
    pub(super) of: Vec<u32>,
    /// For each: why no wrong run stays in it; nothing if one does.
    pub(super) kinds: Vec<Option<Stays>>,
}

impl Product<'_> {
    pub(super) fn n_states(&self) -> usize {
        self.reader.edges.len()
    }

    pub(super) fn n_pairs(&self) -> usize {
        self.graph.len() * self.n_states()
    }

    pub(super) fn place(&self, pair: Pair) -> usize {
        pair / self.n_states()
    }

    pub(super) fn state(&self, pair: Pair) -> usize {
        pair % self.n_states()
    }

    pub(super) fn accepts(&self, pair: Pair) -> bool {
        self.reader.accepting[self.state(pair)]
    }

    /// Where runs begin: the initial configuration was met first.
    pub(super) fn start(&self) -> impl Iterator<Item = Pair> {
        self.reader.start.iter().copied()
    }

    /// The step of a pair with this number or the next one that is possible; counts on.
    pub(super) fn next(&self, from: Pair, cursor: &mut u64) -> Option<Hop> {
        let place = self.place(from);
        let (steps, edges) = (self.graph.steps(place), &self.reader.edges[self.state(from)]);
        let n_edges = edges.len() as u64;
        let end = u64::from(steps.end - steps.start) * n_edges;
        while *cursor < end {
            let step = steps.start + (*cursor / n_edges) as StepNumber;
            let (set, clear, state) = edges[(*cursor % n_edges) as usize];
            *cursor += 1;
            let bits = self.graph.bits(place, step);
            if bits & set == set && bits & clear == 0 {
                let to = self.graph.target(place, step) * self.n_states() + state;
                return Some(Hop { from, step, to });
            }
        }
        None
    }

    /// All steps of a pair.
    pub(super) fn hops(&self, from: Pair) -> impl Iterator<Item = Hop> {
        let mut cursor = 0;
        std::iter::from_fn(move || self.next(from, &mut cursor))
    }

    /// The components of what is reached from where runs begin.
    pub(super) fn components(
        &self,
        fair: bool,
        held: u64,
        budget: &Budget,
    ) -> Result<Components, Exhausted> {
        let n = self.n_pairs();
        if n >= UNMET as usize {
            return Err(Exhausted::Memory);
        }
        let spent = Spent { states: self.graph.len() as u64, bytes: held + n as u64 * 12 };
        budget.check(spent)?;
        let next = |pair: Pair, cursor: &mut u64| self.next(pair, cursor).map(|hop| hop.to);
        let pause =
            |n_met: u32| if n_met.is_multiple_of(1 << 16) { budget.check(spent) } else { Ok(()) };
        let graph::Components { of, count } = graph::components(n, self.start(), next, pause)?;
        let kinds = self.kinds(&of, count, fair);
        Ok(Components { of, kinds })
    }

    fn kinds(&self, of: &[u32], count: usize, fair: bool) -> Vec<Option<Stays>> {
        let mut kinds = vec![Some(Stays::NoneAccepts); count];
        let met = || (0..of.len()).filter(|&pair| of[pair] != UNMET);
        for pair in met().filter(|&pair| self.accepts(pair)) {
            kinds[of[pair] as usize] = Some(Stays::NoStep);
        }
        for pair in met() {
            let kind = &mut kinds[of[pair] as usize];
            if *kind == Some(Stays::NoStep) && self.hops(pair).any(|hop| of[hop.to] == of[pair]) {
                *kind = None;
            }
        }
        if fair {
            self.acquit_unfair(of, &mut kinds);
        }
        kinds
    }

    /// With fairness, a component is wrong only if every machine moves in it, or cannot move somewhere in it.
    fn acquit_unfair(&self, of: &[u32], kinds: &mut [Option<Stays>]) {
        let suspects = (0..kinds.len()).filter(|&c| kinds[c].is_none());
        let mut served = vec![None; kinds.len()];
        for suspect in suspects {
            served[suspect] = Some(vec![false; self.graph.n_machines]);
        }
        for pair in (0..of.len()).filter(|&pair| of[pair] != UNMET) {
            let Some(served) = &mut served[of[pair] as usize] else { continue };
            let able = self.graph.able(self.place(pair));
            for (machine, served) in served.iter_mut().enumerate() {
                *served |= able.binary_search(&MachineId::new(machine)).is_err();
            }
            for hop in self.hops(pair).filter(|hop| of[hop.to] == of[pair]) {
                for mover in self.graph.movers(hop.step) {
                    served[mover.index()] = true;
                }
            }
        }
        for (kind, served) in kinds.iter_mut().zip(served) {
            let waits = served.and_then(|served| served.iter().position(|served| !served));
            if let Some(machine) = waits {
                *kind = Some(Stays::Waits(MachineId::new(machine)));
            }
        }
    }
}
