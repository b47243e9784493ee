//! The set of all configurations within a bound as a decision diagram.
//!
//! Levels are the parts of compiled systems (a machine with the queues that it reads, a queue without a
//! reader, the store), values are the interned values of parts, and compiled steps are the events
//! under which the set is closed by saturation. Machines that are created at run time are levels on top: they are
//! added when the set shows that one more is needed. Raising the bound goes on from the set at hand.

mod drawing;
pub(crate) mod either;
pub(super) mod eventual;
mod judge;
pub(super) mod order;
mod relations;
mod runs;

use num_bigint::BigUint;
use qp_base::{Budget, Exhausted};
use qp_diagrams::{Abort, Diagrams, Events, Limits, Set};

pub(crate) use self::drawing::Drawing;
use self::judge::Room;
use self::order::Levels;
use self::relations::{Course, Creator, Relations};
use super::compiled::Compiled;
use super::drawn::Drawn;
use crate::Order;

/// More levels would need a deeper stack than a thread has.
pub(super) const LEVELS_MAX: usize = 256;

/// Work of the first attempts to close a set with short queues: a thousandth of a second.
const TRIAL_WORK: u64 = 20_000;

/// Work of the first attempt with the best order of levels.
const FIRST_WORK: u64 = 100_000;

/// A set of configurations, closed under all steps within a bound.
pub(crate) struct Symbolic {
    diagrams: Diagrams,
    events: Events,
    relations: Relations,
    levels: Levels,
    /// The set; it is held.
    set: Set,
    initial: Vec<u32>,
    pub(crate) bound: u32,
}

/// Why something was not worked out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Obstacle {
    /// A limit was met.
    Exhausted(Exhausted),
    /// The diagram has too many nodes or levels, or takes too much work: the set may have too little structure.
    TooMuch,
}

/// What may be spent on diagrams.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Effort {
    /// Results that are worked out.
    pub(crate) work_max: u64,
    /// Nodes.
    pub(crate) nodes_max: usize,
    /// The order of levels.
    pub(crate) order: Order,
    /// Whether to use tables that forget nearly everything, for tests.
    pub(crate) tiny: bool,
}

impl Effort {
    /// As much as it takes.
    pub(crate) const ANY: Self =
        Self { work_max: u64::MAX, nodes_max: usize::MAX >> 1, order: Order::Auto, tiny: false };
}

impl Symbolic {
    /// Closes the set of the initial configuration under all steps within the bound. Several orders of levels are
    /// tried, with more and more work, until one of them gets through.
    pub(crate) fn explore(
        compiled: &mut Compiled,
        initial: &[u32],
        bound: u32,
        budget: &Budget,
        effort: Effort,
    ) -> Result<Self, Obstacle> {
        if initial.len() > LEVELS_MAX {
            return Err(Obstacle::TooMuch);
        }
        let mut left = effort.work_max;
        let mut orders = Self::ranked(compiled, initial, (bound, budget), effort, &mut left)?;
        let mut initial = initial.to_vec();
        let mut allowance = FIRST_WORK;
        for round in 1.. {
            // Whoever comes later may take a quarter of what the one before may.
            for rank in 0..round.min(orders.len()) {
                let levels = orders[rank % orders.len()].clone();
                let work_max = (allowance >> (2 * rank)).min(left);
                // Whoever tried before may have met new machines.
                initial.resize(compiled.tables().parts.len(), 0);
                let mut symbolic = Self::begin(levels, &initial, effort.tiny)?;
                let some = Effort { work_max, ..effort };
                match symbolic.close(compiled, bound, budget, some) {
                    Err(Obstacle::TooMuch) => left = left.saturating_sub(symbolic.work()),
                    Err(exhausted @ Obstacle::Exhausted(_)) => return Err(exhausted),
                    Ok(()) => return Ok(symbolic),
                }
                if left == 0 || symbolic.is_full(effort) {
                    return Err(Obstacle::TooMuch);
                }
                if bound == 1 || orders.len() == 1 {
                    // Nothing was compared, and whoever tries learns more about who talks to whom.
                    orders = order::candidates(compiled, effort.order);
                }
            }
            allowance = allowance.saturating_mul(4);
        }
        Err(Obstacle::TooMuch)
    }

    /// The orders of levels to try. Where queues hold one message at most they are compared, because that takes little.
    fn ranked(
        compiled: &mut Compiled,
        initial: &[u32],
        (bound, budget): (u32, &Budget),
        effort: Effort,
        left: &mut u64,
    ) -> Result<Vec<Levels>, Obstacle> {
        let mut orders = order::candidates(compiled, effort.order);
        if bound == 1 || orders.len() == 1 {
            return Ok(orders);
        }
        let mut trial = |compiled: &mut Compiled, levels: &Levels, work_max: u64| {
            let mut initial = initial.to_vec();
            initial.resize(compiled.tables().parts.len(), 0);
            let mut symbolic = Self::begin(levels.clone(), &initial, effort.tiny)?;
            let some = Effort { work_max: work_max.min(*left), ..effort };
            let closed = symbolic.close(compiled, 1, budget, some);
            *left = left.saturating_sub(symbolic.work());
            match closed {
                Ok(()) => Ok(Some(symbolic.work())),
                Err(Obstacle::TooMuch) if *left > 0 && !symbolic.is_full(effort) => Ok(None),
                Err(obstacle) => Err(obstacle),
            }
        };
        let (first, mut best) = 'found: {
            let mut work_max = TRIAL_WORK;
            for round in 1.. {
                for number in 0..round.min(orders.len()) {
                    let levels = orders[number % orders.len()].clone();
                    if let Some(work) = trial(compiled, &levels, work_max >> (2 * number))? {
                        break 'found (levels, work);
                    }
                    // Whoever tries learns more about who talks to whom.
                    orders = order::candidates(compiled, effort.order);
                }
                work_max = work_max.saturating_mul(4);
            }
            return Err(Obstacle::TooMuch);
        };
        orders = order::candidates(compiled, effort.order);
        // With longer queues the first kind of order gains on the others.
        let favourite = orders[0].clone();
        let worth = |levels: &Levels| if *levels == favourite { 2 } else { 1 };
        best /= worth(&first);
        let mut ranked = vec![(best, first)];
        for levels in orders {
            if levels == ranked[0].1 {
                continue;
            }
            let work = trial(compiled, &levels, best * worth(&levels))?;
            let work = work.map_or(u64::MAX, |work| work / worth(&levels));
            best = best.min(work);
            ranked.push((work, levels));
        }
        ranked.sort_by_key(|&(work, _)| work);
        Ok(ranked.into_iter().map(|(_, levels)| levels).collect())
    }

    /// Whether there are too many nodes or levels, rather than too little work was allowed.
    fn is_full(&self, effort: Effort) -> bool {
        self.diagrams.n_nodes() >= effort.nodes_max / 8 * 7 || self.levels.len() == LEVELS_MAX
    }

    fn begin(mut levels: Levels, initial: &[u32], tiny: bool) -> Result<Self, Obstacle> {
        while levels.len() < initial.len() {
            levels.push();
        }
        let no_limits = Limits { nodes_max: usize::MAX >> 1, work_max: u64::MAX };
        let mut diagrams = if tiny { Diagrams::tiny(no_limits) } else { Diagrams::new(no_limits) };
        let initial = levels.by_level(initial);
        let set = diagrams.single(&initial).map_err(|_| Obstacle::TooMuch)?;
        diagrams.hold(set);
        let (events, relations) = (Events::default(), Relations::default());
        Ok(Self { diagrams, events, relations, levels, set, initial, bound: 0 })
    }

    /// Closes the set under all steps within this bound.
    pub(crate) fn close(
        &mut self,
        compiled: &mut Compiled,
        bound: u32,
        budget: &Budget,
        effort: Effort,
    ) -> Result<(), Obstacle> {
        self.allow(effort);
        if bound != self.bound {
            assert!(bound > self.bound, "bounds are raised");
            self.bound = bound;
            self.diagrams.forget_moves();
        }
        loop {
            let set = self.set;
            let (course, events, diagrams) = self.course(compiled, budget);
            let mut course = course;
            let closed = diagrams.saturate(set, events, &mut course);
            let exhausted = course.exhausted;
            let closed = closed.map_err(|abort| obstacle(abort, exhausted))?;
            self.replace(closed);
            if !self.make_room(compiled, budget)? {
                return Ok(());
            }
        }
    }

    /// What may be spent from now on.
    pub(crate) fn allow(&mut self, effort: Effort) {
        let work_max = self.diagrams.work().saturating_add(effort.work_max);
        self.diagrams.limit(Limits { nodes_max: effort.nodes_max, work_max });
    }

    fn course<'a>(
        &'a mut self,
        compiled: &'a mut Compiled,
        budget: &'a Budget,
    ) -> (Course<'a>, &'a mut Events, &'a mut Diagrams) {
        let Self { diagrams, events, relations, levels, bound, .. } = self;
        let bound = *bound;
        (Course { compiled, relations, levels, bound, budget, exhausted: None }, events, diagrams)
    }

    fn replace(&mut self, set: Set) {
        self.diagrams.hold(set);
        self.diagrams.release(self.set);
        self.set = set;
    }

    /// Adds a level if the set has a configuration in which one machine more can be created than ever
    /// before; says whether it did.
    fn make_room(&mut self, compiled: &mut Compiled, budget: &Budget) -> Result<bool, Obstacle> {
        let n_machines = compiled.tables().part_of.len() as u32;
        let Some(creator) = self.creator(compiled, n_machines)? else { return Ok(false) };
        if self.levels.len() == LEVELS_MAX {
            return Err(Obstacle::TooMuch);
        }
        compiled.supply(creator.missing(n_machines));
        assert_eq!(compiled.tables().parts.len(), self.levels.len() + 1, "a part was added");
        let lifted = self.diagrams.lift(self.set, self.levels.len(), 0);
        self.levels.push();
        self.initial.push(0);
        self.replace(lifted.map_err(|abort| obstacle(abort, None))?);
        let (mut course, events, _) = self.course(compiled, budget);
        for creator in course.relations.creators.clone() {
            course.add_birth(creator, n_machines, events);
        }
        Ok(true)
    }

    /// Gives up a set that is held.
    pub(crate) fn release(&mut self, set: Set) {
        self.diagrams.release(set);
    }

    /// A step that creates a machine in some configuration with so many machines.
    fn creator(
        &mut self,
        compiled: &mut Compiled,
        n_machines: u32,
    ) -> Result<Option<Creator>, Obstacle> {
        let creators = self.relations.creators.clone();
        let mut tried = Vec::new();
        for creator in &creators {
            let group = creator.group(n_machines);
            if tried.contains(&group) {
                continue;
            }
            tried.push(group);
            let level = self.levels.level(creator.part);
            let mine = |value: u32| {
                move |other: &&Creator| other.group(n_machines) == group && other.value == value
            };
            let able = self.table(compiled, creator.part, |_, value| {
                creators.iter().any(|other| mine(value)(&other))
            });
            let mut filter = self.filter(compiled, &group, Room::Fits);
            filter.and(level, able);
            let there = self.restricted(self.set, &filter)?;
            if let Some(tuple) = self.diagrams.first(there) {
                return Ok(creators.iter().find(mine(tuple[level])).copied());
            }
        }
        Ok(None)
    }

    /// How many configurations there are.
    pub(crate) fn count(&self) -> BigUint {
        self.diagrams.count(self.set)
    }

    /// Nodes of the diagram of the set.
    pub(crate) fn size(&self) -> usize {
        self.diagrams.size(self.set)
    }

    /// The diagram, level by level from the highest: the part that stands there, and the nodes.
    pub(crate) fn levels(&self) -> Vec<Drawn> {
        let nodes = self.diagrams.nodes(self.set).into_iter();
        let parts = (0..self.levels.len()).rev().map(|level| self.levels.part(level));
        parts.zip(nodes).collect()
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.diagrams.bytes()
    }

    pub(crate) fn work(&self) -> u64 {
        self.diagrams.work()
    }

    /// Calls `f` with the values of the parts of every configuration, in a fixed order.
    pub(crate) fn each(&self, mut f: impl FnMut(&[u32])) {
        self.diagrams.each(self.set, |tuple| {
            f(&self.levels.by_part(tuple));
            true
        });
    }
}

pub(super) fn obstacle(abort: Abort, exhausted: Option<Exhausted>) -> Obstacle {
    match abort {
        Abort::Nodes | Abort::Work => Obstacle::TooMuch,
        Abort::Stopped => Obstacle::Exhausted(exhausted.unwrap_or(Exhausted::Cancelled)),
    }
}
