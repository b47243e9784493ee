//! A short run into a component and around in it for ever.

use super::graph::STAYS;
use super::product::{Components, Hop, Pair, Product};
use crate::graph::UNMET;

/// A run that goes round: the way to the circle, and the circle, which is never empty.
pub(super) struct Way {
    pub(super) stem: Vec<Hop>,
    pub(super) cycle: Vec<Hop>,
}

impl Product<'_> {
    /// A wrong run, if there is one: a shortest way to a pair that accepts in a wrong component, and from there
    /// around, past everything that fairness asks for.
    pub(super) fn wrong_run(&self, components: &Components, fair: bool) -> Option<Way> {
        let is_wrong = |pair: Pair| {
            self.accepts(pair) && components.kinds[components.of[pair] as usize].is_none()
        };
        if !components.kinds.contains(&None) {
            return None;
        }
        let first = self.start().find(|&pair| is_wrong(pair));
        let stem = match first {
            Some(_) => Vec::new(),
            None => self.walk(&self.start().collect::<Vec<_>>(), |_| true, |hop| is_wrong(hop.to)),
        };
        let knot = first.or_else(|| stem.last().map(|hop| hop.to))?;
        let cycle = self.around(components, knot, fair);
        let mut way = Way { stem, cycle };
        way.tighten();
        Some(way)
    }

    /// The same run without the states of the automaton.
    pub(super) fn in_graph(&self, way: Way) -> Way {
        let plain = |hop: Hop| Hop { from: self.place(hop.from), to: self.place(hop.to), ..hop };
        let [stem, cycle] = [way.stem, way.cycle].map(|hops| hops.into_iter().map(plain).collect());
        Way { stem, cycle }
    }

    /// From a pair back to it, inside its component.
    fn around(&self, components: &Components, knot: Pair, fair: bool) -> Vec<Hop> {
        let inside = |hop: &Hop| components.of[hop.to] == components.of[knot];
        let (mut cycle, mut at): (Vec<Hop>, Pair) = (Vec::new(), knot);
        let machines = if fair { self.graph.n_machines } else { 0 };
        for machine in (0..machines).map(qp_machines::MachineId::new) {
            let waits = |pair: Pair| !self.graph.able(self.place(pair)).contains(&machine);
            let served = |hop: &Hop| {
                self.graph.movers(hop.step).contains(&machine) || waits(hop.from) || waits(hop.to)
            };
            if !waits(knot) && !cycle.iter().any(served) {
                cycle.extend(self.walk(&[at], inside, served));
                at = cycle.last().map_or(at, |hop| hop.to);
            }
        }
        if at != knot || cycle.is_empty() {
            cycle.extend(self.walk(&[at], inside, |hop| hop.to == knot));
        }
        cycle
    }

    /// A shortest way from some pairs, of hops that are allowed, up to one that is a goal. There must be
    /// one.
    fn walk(
        &self,
        from: &[Pair],
        allowed: impl Fn(&Hop) -> bool,
        goal: impl Fn(&Hop) -> bool,
    ) -> Vec<Hop> {
        const START: u32 = UNMET - 1;
        let mut before = vec![UNMET; self.n_pairs()];
        let mut todo: Vec<Pair> = from.to_vec();
        for &pair in from {
            before[pair] = START;
        }
        let mut at = 0;
        let last = loop {
            let pair = *todo.get(at).expect("a component is strongly connected");
            at += 1;
            if let Some(last) = self.hops(pair).filter(&allowed).find(&goal) {
                break last;
            }
            for hop in self.hops(pair).filter(&allowed) {
                if before[hop.to] == UNMET {
                    before[hop.to] = pair as u32;
                    todo.push(hop.to);
                }
            }
        };
        let mut way = vec![last];
        while before[way[way.len() - 1].from] != START {
            let to = way[way.len() - 1].from;
            let from = before[to] as usize;
            let hop = self.hops(from).filter(&allowed).find(|hop| hop.to == to);
            way.push(hop.expect("it was taken on the way"));
        }
        way.reverse();
        way
    }
}

impl Way {
    /// Writes the same infinite run with fewer steps.
    pub(super) fn tighten(&mut self) {
        if self.cycle.iter().all(|hop| hop.step == STAYS) {
            self.stem.retain(|hop| hop.step != STAYS);
            self.cycle.truncate(1);
            return;
        }
        let same = |a: &Hop, b: &Hop| a.step == b.step;
        let n = self.cycle.len();
        let period = (1..=n).find(|&period| {
            n.is_multiple_of(period)
                && (period..n).all(|i| same(&self.cycle[i], &self.cycle[i - period]))
        });
        self.cycle.truncate(period.unwrap_or(n));
        while let (Some(stem), Some(cycle)) = (self.stem.last(), self.cycle.last())
            && same(stem, cycle)
        {
            self.stem.pop();
            self.cycle.rotate_right(1);
        }
    }
}
