//! How large a net is, in the words of the tables of Leue and Wei: elementary cycles, effect vectors and kinds of
//! messages.
//!
//! Nothing rests on these numbers. They are counted so that models can be compared with those of the paper, and the
//! counting stops after [`CYCLES_MAX`] cycles in all, because there may be exponentially many, and after
//! [`STEPS_MAX`] steps, because there may be long ways between few.

use std::collections::BTreeSet;

use qp_base::Span;
use qp_machines::{ArcId, CounterId, Counts, Net, SpotId};

/// So many cycles are counted.
pub(super) const CYCLES_MAX: u64 = 5_000;

/// So many steps are taken in search for cycles in all: a few tenths of a second.
const STEPS_MAX: u64 = 20_000_000;

/// The size of a net.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Census {
    /// Elementary cycles of the control flow; machines with the same text count once.
    pub(super) cycles: u64,
    /// What cycles add to counters; for each machine, every vector once.
    pub(super) vectors: u64,
    /// Kinds of messages, queue by queue.
    pub(super) kinds: u64,
}

/// Counts. Cycles beyond [`CYCLES_MAX`] are left out, with their vectors.
pub(super) fn census(net: &Net) -> Census {
    let is_kind = |counts: Counts| matches!(counts, Counts::Messages(_) | Counts::Handshakes(_));
    let kinds = net.counters.iter().filter(|counter| is_kind(counter.counts)).count() as u64;
    let mut census = Census { kinds, ..Census::default() };
    let (mut texts, mut left, mut steps) = (BTreeSet::new(), CYCLES_MAX, STEPS_MAX);
    for spots in machines(net) {
        let mut vectors = BTreeSet::new();
        let mut cycles = 0;
        Flow::new(net, &spots).each_cycle(&mut steps, &mut |arcs| {
            cycles += 1;
            vectors.insert(effect(net, arcs));
            left -= 1;
            left > 0
        });
        // Places without a text of their own are nobody's copy.
        let text: BTreeSet<Span> = spots.iter().map(|&spot| net.spots[spot].span).collect();
        let is_copy = text.len() > 1 && !texts.insert(text);
        census.cycles += if is_copy { 0 } else { cycles };
        census.vectors += vectors.len() as u64;
        if left == 0 || steps == 0 {
            break;
        }
    }
    census
}

/// The places of each machine: those that arcs connect.
fn machines(net: &Net) -> Vec<Vec<SpotId>> {
    let mut leader: Vec<usize> = (0..net.spots.len()).collect();
    for (from, to) in net.arcs.iter().filter_map(|arc| arc.from.zip(arc.to)) {
        let (a, b) = (find(&mut leader, from.index()), find(&mut leader, to.index()));
        leader[a.max(b)] = a.min(b);
    }
    let mut machines: Vec<Vec<SpotId>> = vec![Vec::new(); net.spots.len()];
    for spot in 0..net.spots.len() {
        machines[find(&mut leader, spot)].push(SpotId::new(spot));
    }
    machines.retain(|spots| !spots.is_empty());
    machines
}

/// The first place of the machine to which a place is known to belong.
fn find(leader: &mut [usize], mut spot: usize) -> usize {
    while leader[spot] != spot {
        leader[spot] = leader[leader[spot]];
        spot = leader[spot];
    }
    spot
}

/// What a round adds to counters.
fn effect(net: &Net, arcs: &[ArcId]) -> Vec<(CounterId, i64)> {
    let mut sums: Vec<(CounterId, i64)> = Vec::new();
    for &(counter, by) in arcs.iter().flat_map(|&arc| &net.arcs[arc].effects) {
        match sums.iter_mut().find(|(known, _)| *known == counter) {
            Some((_, sum)) => *sum += by,
            None => sums.push((counter, by)),
        }
    }
    sums.retain(|(_, sum)| *sum != 0);
    sums.sort_unstable();
    sums
}

/// The control flow of one machine, with places numbered from 0.
struct Flow {
    after: Vec<Vec<(usize, ArcId)>>,
    before: Vec<Vec<usize>>,
}

impl Flow {
    fn new(net: &Net, spots: &[SpotId]) -> Self {
        let number = |spot: SpotId| spots.binary_search(&spot).ok();
        let mut flow =
            Self { after: vec![Vec::new(); spots.len()], before: vec![Vec::new(); spots.len()] };
        for (id, arc) in net.arcs.iter_enumerated() {
            let ends = arc.from.and_then(number).zip(arc.to.and_then(number));
            if let Some((from, to)) = ends {
                flow.after[from].push((to, id));
                flow.before[to].push(from);
            }
        }
        flow
    }

    /// Every elementary cycle once, by the method of Johnson (1975); stops when `each` says so, or when the
    /// steps are used up.
    fn each_cycle(&self, steps: &mut u64, each: &mut dyn FnMut(&[ArcId]) -> bool) {
        let mut rest = Rest::new(self);
        for start in 0..self.after.len() {
            // Cycles through earlier places were found already.
            if rest.is_there[start] {
                let inside = self.knot(start, &rest, steps);
                if inside[start] && !Search::new(self, start, inside).run(steps, each) {
                    return;
                }
                rest.remove(start);
            }
            if *steps == 0 {
                return;
            }
        }
    }

    /// The places from which `start` can be reached and that can be reached from it, among the rest.
    fn knot(&self, start: usize, rest: &Rest<'_>, steps: &mut u64) -> Vec<bool> {
        let ahead = |at: usize| self.after[at].iter().map(|&(to, _)| to).collect::<Vec<_>>();
        let there = reach(rest, start, &ahead, steps);
        let back = reach(rest, start, &|at| self.before[at].clone(), steps);
        there.into_iter().zip(back).map(|(there, back)| there && back).collect()
    }
}

/// The places that may be on a cycle that was not found yet: all of them have neighbours on both sides.
struct Rest<'a> {
    flow: &'a Flow,
    is_there: Vec<bool>,
    n_before: Vec<usize>,
    n_after: Vec<usize>,
}

impl<'a> Rest<'a> {
    fn new(flow: &'a Flow) -> Self {
        let n_before: Vec<usize> = flow.before.iter().map(Vec::len).collect();
        let n_after: Vec<usize> = flow.after.iter().map(Vec::len).collect();
        let n = flow.after.len();
        let ends: Vec<usize> = (0..n).filter(|&it| n_before[it] == 0 || n_after[it] == 0).collect();
        let mut rest = Self { flow, is_there: vec![true; n], n_before, n_after };
        for end in ends {
            rest.remove(end);
        }
        rest
    }

    /// Takes a place away, and with it whatever is on no cycle any more because of that.
    fn remove(&mut self, place: usize) {
        let mut todo = vec![place];
        while let Some(at) = todo.pop() {
            if !std::mem::replace(&mut self.is_there[at], false) {
                continue;
            }
            for &(to, _) in &self.flow.after[at] {
                self.n_before[to] -= 1;
                todo.extend((self.n_before[to] == 0).then_some(to));
            }
            for &from in &self.flow.before[at] {
                self.n_after[from] -= 1;
                todo.extend((self.n_after[from] == 0).then_some(from));
            }
        }
    }
}

/// What can be reached from a place in one step or more, among the rest.
fn reach(
    rest: &Rest<'_>,
    start: usize,
    next: &dyn Fn(usize) -> Vec<usize>,
    steps: &mut u64,
) -> Vec<bool> {
    let mut reached = vec![false; rest.is_there.len()];
    let mut todo = vec![start];
    while let Some(at) = todo.pop() {
        for to in next(at) {
            *steps = steps.saturating_sub(1);
            if rest.is_there[to] && !std::mem::replace(&mut reached[to], true) {
                todo.push(to);
            }
        }
    }
    reached
}

/// The search for the cycles through one place.
struct Search<'a> {
    flow: &'a Flow,
    start: usize,
    inside: Vec<bool>,
    /// Places that lead nowhere new as long as the way is what it is.
    blocked: Vec<bool>,
    /// Who is to be let in again together with a place.
    waiting: Vec<Vec<usize>>,
    /// Places on the way, with how many of their arcs were tried and whether a cycle was found beyond.
    way: Vec<(usize, usize, bool)>,
    arcs: Vec<ArcId>,
}

impl<'a> Search<'a> {
    fn new(flow: &'a Flow, start: usize, inside: Vec<bool>) -> Self {
        let n = flow.after.len();
        let (mut blocked, waiting) = (vec![false; n], vec![Vec::new(); n]);
        blocked[start] = true;
        Self {
            flow,
            start,
            inside,
            blocked,
            waiting,
            way: vec![(start, 0, false)],
            arcs: Vec::new(),
        }
    }

    /// Says whether everything was found.
    fn run(mut self, steps: &mut u64, each: &mut dyn FnMut(&[ArcId]) -> bool) -> bool {
        while let Some((at, tried, found)) = self.way.last_mut() {
            *steps = steps.saturating_sub(1);
            if *steps == 0 {
                return false;
            }
            let Some(&(to, arc)) = self.flow.after[*at].get(*tried) else {
                let (at, found) = (*at, *found);
                self.step_back(at, found);
                continue;
            };
            *tried += 1;
            if to == self.start {
                *found = true;
                self.arcs.push(arc);
                let more = each(&self.arcs);
                self.arcs.pop();
                if !more {
                    return false;
                }
            } else if self.inside[to] && !self.blocked[to] {
                self.blocked[to] = true;
                self.arcs.push(arc);
                self.way.push((to, 0, false));
            }
        }
        true
    }

    fn step_back(&mut self, at: usize, found: bool) {
        self.way.pop();
        self.arcs.pop();
        if let Some((_, _, beyond)) = self.way.last_mut() {
            *beyond |= found;
        }
        if found {
            self.let_in(at);
            return;
        }
        for &(to, _) in self.flow.after[at].iter().filter(|&&(to, _)| self.inside[to]) {
            if !self.waiting[to].contains(&at) {
                self.waiting[to].push(at);
            }
        }
    }

    fn let_in(&mut self, place: usize) {
        let mut todo = vec![place];
        while let Some(at) = todo.pop() {
            if std::mem::replace(&mut self.blocked[at], false) {
                todo.append(&mut self.waiting[at]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use qp_machines::{Arc, Counter, MachineId, QueueId, Spot};

    use super::*;

    /// Machines with so many spots each; arcs from and to spots by number, with what they add to the counter.
    fn net(spots: &[usize], arcs: &[(usize, usize, i64)]) -> Net {
        let mut net = Net::default();
        for (machine, &n) in spots.iter().enumerate() {
            for spot in 0..n {
                let machine = Some(MachineId::new(machine));
                let span = Span::new(spot..spot + 1);
                net.spots.push(Spot {
                    machine,
                    initial: u32::from(spot == 0),
                    name: String::new(),
                    span,
                });
            }
        }
        let counts = Counts::Messages(QueueId::new(0));
        let counter = net.counters.push(Counter { counts, initial: 0, name: "m".to_owned() });
        for &(from, to, by) in arcs {
            net.arcs.push(Arc {
                from: Some(SpotId::new(from)),
                to: Some(SpotId::new(to)),
                effects: if by == 0 { Vec::new() } else { vec![(counter, by)] },
                progress: false,
                tests: Vec::new(),
                text: String::new(),
                span: Span::default(),
            });
        }
        net
    }

    #[test]
    fn all_cycles_of_a_complete_graph_are_found() {
        // Of 4 places: 6 of length 2, 8 of length 3, 6 of length 4.
        let arcs: Vec<(usize, usize, i64)> =
            (0..4).flat_map(|a| (0..4).filter(move |&b| b != a).map(move |b| (a, b, 0))).collect();
        assert_eq!(census(&net(&[4], &arcs)), Census { cycles: 20, vectors: 1, kinds: 1 });
    }

    #[test]
    fn two_ways_between_two_places_are_two_cycles() {
        let net = net(&[2], &[(0, 1, 1), (0, 1, 2), (1, 0, -1), (1, 1, 1)]);
        // A loop of one step, and two rounds: they add 1, 0 and 1.
        assert_eq!(census(&net), Census { cycles: 3, vectors: 2, kinds: 1 });
    }

    #[test]
    fn a_line_has_none() {
        assert_eq!(census(&net(&[3], &[(0, 1, 1), (1, 2, 1)])).cycles, 0);
    }

    #[test]
    fn copies_of_a_machine_share_their_cycles_but_not_their_vectors() {
        let net = net(&[2, 2], &[(0, 1, 1), (1, 0, 0), (2, 3, 1), (3, 2, 0)]);
        assert_eq!(census(&net), Census { cycles: 1, vectors: 2, kinds: 1 });
    }

    #[test]
    fn a_long_round_takes_as_many_steps_as_it_is_long() {
        let n = 20_000;
        let mut arcs: Vec<(usize, usize, i64)> = (0..n).map(|a| (a, (a + 1) % n, 0)).collect();
        arcs.push((n - 1, n - 1, 1));
        assert_eq!(census(&net(&[n], &arcs)).cycles, 2);
    }

    #[test]
    fn counting_ends() {
        // Between each two neighbours there are two ways, so there are 2^20 rounds.
        let mut arcs: Vec<(usize, usize, i64)> =
            (0..20).flat_map(|a| [(a, (a + 1) % 20, 0), (a, (a + 1) % 20, 1)]).collect();
        arcs.push((5, 5, 0));
        assert_eq!(census(&net(&[20], &arcs)).cycles, CYCLES_MAX);
    }
}
