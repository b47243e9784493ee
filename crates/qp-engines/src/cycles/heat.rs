//! Specs that stay hot, on runs that are fair to machines and to choices.
//!
//! A run is fair to choices if a machine that moves again and again from one configuration takes each of its steps there
//! again and again. With machines chosen by an adversary and steps by such choices the graph is a Markov decision
//! process, and what runs do in the end is one of its end components (de Alfaro 1997): configurations in which some
//! machines have all of their steps inside. A spec can stay hot if there is one without a cold configuration, with a
//! hot one, in which every machine moves, or cannot move somewhere.
//!
//! Components are found level by level: cut into strongly connected components, leave the machines out in places from
//! which one of their steps leads elsewhere, cut again, until nothing is left out where it is hot. The numbers of all
//! levels are the ranks that prove it.

use std::collections::VecDeque;

use qp_base::{Budget, Exhausted, Map, Set, Spent};
use qp_claim::{ABSENT, Stays};
use qp_machines::MachineId;

use super::graph::{Graph, STAYS, StepNumber};
use super::lasso::Way;
use super::product::Hop;
use super::{Found, Ranks};
use crate::graph::{self, UNMET};

/// The longest circle that is looked for.
const CIRCLE_MAX: usize = 20_000;

/// The graph, and the bits of being hot and cold.
pub(super) struct Heat<'a> {
    pub(super) graph: &'a Graph,
    pub(super) hot: u64,
    pub(super) cold: u64,
}

/// End components, with the levels by which they were found.
struct Ends {
    /// For each level and place: the number of its part; [`UNMET`] where it is cold.
    levels: Vec<Vec<u32>>,
    /// How many parts there are at the last level.
    count: usize,
    /// Steps of machines that are left out where they are.
    gone: Vec<bool>,
}

impl Heat<'_> {
    pub(super) fn look(&self, held: u64, budget: &Budget) -> Result<Found, Exhausted> {
        let ends = self.ends(held, budget)?;
        let reasons = self.reasons(&ends);
        if let Some(wrong) = reasons.iter().position(Option::is_none) {
            return Ok(self.way(&ends, wrong as u32).map_or(Found::TooLarge, Found::Wrong));
        }
        let absent = |level: Vec<u32>| {
            level.into_iter().map(|part| if part == UNMET { ABSENT } else { part }).collect()
        };
        let ranks = ends.levels.into_iter().map(absent).collect();
        Ok(Found::Clear(Ranks { ranks, reasons: reasons.into_iter().flatten().collect() }))
    }

    fn is_hot(&self, place: usize) -> bool {
        self.graph.bits_of(place) & self.hot != 0
    }

    fn is_cold(&self, place: usize) -> bool {
        self.graph.bits_of(place) & self.cold != 0
    }

    /// The steps of a place, machine by machine; that of a run which has ended is nobody's.
    fn actions(&self, place: usize) -> Vec<(Option<MachineId>, Vec<StepNumber>)> {
        let mover = |step| self.graph.movers(step).first().copied();
        let mut steps: Vec<_> =
            self.graph.steps(place).map(|step| (mover(step), vec![step])).collect();
        steps.sort_unstable();
        steps.dedup_by(|next, first| {
            let same = next.0 == first.0;
            if same {
                first.1.append(&mut next.1);
            }
            same
        });
        steps
    }

    fn ends(&self, held: u64, budget: &Budget) -> Result<Ends, Exhausted> {
        let n = self.graph.len();
        let mut ends =
            Ends { levels: Vec::new(), count: 0, gone: vec![false; self.graph.n_steps()] };
        let mut at: Vec<u32> =
            (0..n).map(|place| if self.is_cold(place) { UNMET } else { 0 }).collect();
        let mut open = vec![true];
        // What fails or is cut is elsewhere, as what is cold is.
        self.leave_out(&at, &mut ends.gone);
        loop {
            let bytes = held + (n * (12 + 4 * ends.levels.len())) as u64;
            let spent = Spent { states: n as u64, bytes };
            budget.check(spent)?;
            let next = |place: usize, cursor: &mut u64| {
                self.next_inside(&at, &ends.gone, &open, place, cursor)
            };
            let roots = (0..n).filter(|&place| at[place] != UNMET);
            let pause =
                |n: u32| if n.is_multiple_of(1 << 16) { budget.check(spent) } else { Ok(()) };
            let parts = graph::components(n, roots, next, pause)?;
            (at, ends.count) = (parts.of, parts.count);
            ends.levels.push(at.clone());
            let left_out = self.leave_out(&at, &mut ends.gone);
            open = vec![false; ends.count];
            let hot = (0..n).filter(|&place| at[place] != UNMET && self.is_hot(place));
            hot.for_each(|place| open[at[place] as usize] = true);
            if !left_out.iter().any(|&place| open[at[place] as usize]) {
                return Ok(ends);
            }
        }
    }

    /// The next step of a place that stays in its part. Parts that are not open are not cut any more: whatever is in
    /// them leads everywhere in them.
    fn next_inside(
        &self,
        at: &[u32],
        gone: &[bool],
        open: &[bool],
        place: usize,
        cursor: &mut u64,
    ) -> Option<usize> {
        let steps = self.graph.steps(place);
        while *cursor < u64::from(steps.end - steps.start) {
            let step = steps.start + *cursor as StepNumber;
            *cursor += 1;
            let to = self.graph.target(place, step);
            let stays = at[to] == at[place];
            if stays && (!is_gone(gone, step) || !open[at[place] as usize]) {
                return Some(to);
            }
        }
        None
    }

    /// Leaves machines out in places from which one of their steps leads to another part; says in which.
    fn leave_out(&self, at: &[u32], gone: &mut [bool]) -> Vec<usize> {
        let mut places = Vec::new();
        for place in (0..at.len()).filter(|&place| at[place] != UNMET) {
            for (machine, steps) in self.actions(place) {
                let Some(machine) = machine else { continue };
                let leaves = |&step: &StepNumber| at[self.graph.target(place, step)] != at[place];
                let is_new = steps.iter().any(|&step| !gone[step as usize]);
                if is_new && (steps.iter().any(leaves) || self.graph.is_torn(place, machine)) {
                    for step in steps {
                        gone[step as usize] = true;
                    }
                    places.push(place);
                }
            }
        }
        places
    }

    /// Why no spec stays hot in a part; nothing where it can.
    fn reasons(&self, ends: &Ends) -> Vec<Option<Stays>> {
        let at = &ends.levels[ends.levels.len() - 1];
        let met = || (0..at.len()).filter(|&place| at[place] != UNMET);
        let mut reasons = vec![Some(Stays::NoneAccepts); ends.count];
        for place in met().filter(|&place| self.is_hot(place)) {
            reasons[at[place] as usize] = Some(Stays::NoStep);
        }
        let mut served = vec![Vec::new(); ends.count];
        for place in met() {
            let part = at[place] as usize;
            if reasons[part] == Some(Stays::NoneAccepts) {
                continue;
            }
            let served = &mut served[part];
            served.resize(self.graph.n_machines, false);
            let able = self.graph.able(place);
            for (machine, served) in served.iter_mut().enumerate() {
                *served |= able.binary_search(&MachineId::new(machine)).is_err();
            }
            for step in self.graph.steps(place).filter(|&step| !is_gone(&ends.gone, step)) {
                reasons[part] = None;
                self.graph.movers(step).iter().for_each(|mover| served[mover.index()] = true);
            }
        }
        for (reason, served) in reasons.iter_mut().zip(served) {
            let waits = served.iter().position(|served| !served).filter(|_| reason.is_none());
            *reason = waits.map(|machine| Stays::Waits(MachineId::new(machine))).or(*reason);
        }
        reasons
    }

    /// A run into a part and around in it for ever, past a hot place, past every machine, and past all steps of every
    /// machine in every place in which it moves.
    fn way(&self, ends: &Ends, part: u32) -> Option<Way> {
        let at = &ends.levels[ends.levels.len() - 1];
        let inside = |place: usize| at[place] == part;
        let goal = |hop: &Hop| inside(hop.to) && self.is_hot(hop.to);
        let begins_there = inside(0) && self.is_hot(0);
        let stem = if begins_there { Vec::new() } else { self.walk(0, |_| Some(false), goal)? };
        let knot = stem.last().map_or(0, |hop| hop.to);
        let mut circle = Circle { at: knot, ..Circle::default() };
        let stays = |hop: &Hop| (inside(hop.from) && !is_gone(&ends.gone, hop.step)).then_some(());
        for machine in (0..self.graph.n_machines).map(MachineId::new) {
            let waits = |place: usize| self.graph.able(place).binary_search(&machine).is_err();
            let serves = |hop: &Hop| {
                self.graph.movers(hop.step).contains(&machine) || waits(hop.from) || waits(hop.to)
            };
            if !waits(knot) && !circle.cycle.iter().any(serves) {
                self.go(&mut circle, stays, serves)?;
            }
        }
        loop {
            if circle.cycle.len() > CIRCLE_MAX {
                return None;
            }
            if let Some(open) = circle.open.pop() {
                if !circle.taken.contains(&open) {
                    self.go(&mut circle, stays, |hop| self.choice(hop) == open)?;
                }
            } else if circle.at != knot || circle.cycle.is_empty() {
                self.go(&mut circle, stays, |hop| hop.to == knot)?;
            } else {
                let mut way = Way { stem, cycle: circle.cycle };
                way.tighten();
                return Some(way);
            }
        }
    }

    /// Goes on around, by as few machines in new places as possible, up to a goal.
    fn go(
        &self,
        circle: &mut Circle,
        stays: impl Fn(&Hop) -> Option<()>,
        goal: impl Fn(&Hop) -> bool,
    ) -> Option<()> {
        let known = |hop: &Hop| stays(hop).map(|()| circle.known.contains(&self.action(hop)));
        let walked = self.walk(circle.at, known, goal)?;
        for hop in walked {
            if circle.known.insert(self.action(&hop)) {
                let steps = self.graph.steps(hop.from);
                let hops =
                    steps.map(|step| Hop { step, to: self.graph.target(hop.from, step), ..hop });
                let own = hops.filter(|other| self.action(other) == self.action(&hop));
                circle.open.extend(own.map(|other| self.choice(&other)));
            }
            circle.taken.insert(self.choice(&hop));
            circle.at = hop.to;
            circle.cycle.push(hop);
        }
        Some(())
    }

    /// What a machine may choose in a place.
    fn choice(&self, hop: &Hop) -> Choice {
        (self.action(hop), hop.to)
    }

    /// Who moves, and where.
    fn action(&self, hop: &Hop) -> Action {
        (hop.from, self.graph.movers(hop.step).first().copied())
    }

    /// A cheapest way to a hop that is a goal: `known` says of hops that are allowed whether they cost nothing.
    fn walk(
        &self,
        from: usize,
        known: impl Fn(&Hop) -> Option<bool>,
        goal: impl Fn(&Hop) -> bool,
    ) -> Option<Vec<Hop>> {
        let mut before: Map<usize, Option<Hop>> = Map::default();
        let mut todo = VecDeque::from([(from, None)]);
        while let Some((place, hop)) = todo.pop_front() {
            if before.contains_key(&place) {
                continue;
            }
            before.insert(place, hop);
            for step in self.graph.steps(place) {
                let hop = Hop { from: place, step, to: self.graph.target(place, step) };
                let Some(is_known) = known(&hop) else { continue };
                if goal(&hop) {
                    let mut way = vec![hop];
                    while let Some(Some(hop)) = before.get(&way[way.len() - 1].from) {
                        way.push(*hop);
                    }
                    way.reverse();
                    return Some(way);
                }
                if is_known {
                    todo.push_front((hop.to, Some(hop)));
                } else {
                    todo.push_back((hop.to, Some(hop)));
                }
            }
        }
        None
    }
}

type Action = (usize, Option<MachineId>);
type Choice = (Action, usize);

/// A run around, as far as it was found.
#[derive(Default)]
struct Circle {
    cycle: Vec<Hop>,
    at: usize,
    known: Set<Action>,
    taken: Set<Choice>,
    /// What has to be taken still, unless it was meanwhile.
    open: Vec<Choice>,
}

fn is_gone(gone: &[bool], step: StepNumber) -> bool {
    step != STAYS && gone[step as usize]
}
