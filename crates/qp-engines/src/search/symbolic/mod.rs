//! The set of all configurations within a bound as a decision diagram.
//!
//! Levels are the parts of configurations, values are the interned values of parts, and steps are the events under
//! which the set is closed by saturation. What steps do is said by a source ([`source`]): compiled rows where machines
//! meet only through queues ([`rows`]), trees of what steps read everywhere else ([`super::turns`]). Machines that
//! are created at run time are levels on top: they are added when the set shows that one more is needed. Raising the
//! bound goes on from the set at hand.

mod drawing;
mod eventual;
pub(super) mod filter;
mod judge;
pub(super) mod order;
mod rows;
mod runs;
pub(super) mod source;
pub(super) mod store;

use num_bigint::BigUint;
use qp_base::{Budget, Exhausted};
use qp_diagrams::Set;

pub(crate) use self::drawing::Drawing;
use self::order::Levels;
use self::source::{Source, source};
use self::store::Store;
use super::drawn::Drawn;
use super::space::Space;
use crate::{Exact, Figures, Order, Sets, TaskLimits};

/// More levels would need a deeper stack than a thread has.
const LEVELS_MAX: usize = 256;

/// Work that is too little to matter: some thousandths of a second.
const LITTLE_WORK: u64 = 120_000;

/// A set of configurations, closed under all steps within a bound.
pub(crate) struct DiagramSet {
    store: Store,
    source: Box<dyn Source>,
    /// The values of the parts of the initial configuration.
    initial: Vec<u32>,
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

    /// So much work, if there is a choice, and no more nodes than fit into the memory.
    pub(crate) fn new(work: u64, limits: &TaskLimits, budget: &Budget) -> Self {
        let nodes_max = usize::try_from(budget.limits().memory_bytes / 128);
        let is_forced = matches!(limits.sets, Sets::Symbolic | Sets::Forgetful);
        Self {
            work_max: if is_forced { u64::MAX } else { work },
            nodes_max: nodes_max.unwrap_or(usize::MAX).min(1 << 30),
            order: limits.order,
            tiny: limits.sets == Sets::Forgetful,
        }
    }
}

impl DiagramSet {
    /// How much work on diagrams takes less time than so many steps one by one.
    pub(crate) fn worth(space: &Space, transitions: u64) -> u64 {
        match space {
            // Looking at one arc of a diagram takes about as much time as two steps, and there are several attempts.
            Space::Compiled(_) => transitions.min(LITTLE_WORK).max(transitions / 4),
            // What turns do to values is looked up in larger tables.
            Space::Turns(_) => transitions / 2,
        }
    }

    /// Closes the set of the initial configuration under all steps within the bound. Several orders of levels are
    /// tried, with more and more work, until one of them gets through.
    pub(crate) fn explore(
        space: &mut Space,
        initial: &[u32],
        bound: u32,
        budget: &Budget,
        effort: Effort,
    ) -> Result<Self, Obstacle> {
        let (source, mut left) = (source(space), effort.work_max);
        let mut orders = source.orders(space, effort.order);
        let trial_work = source.trial_work().filter(|_| bound > 1 && orders.len() > 1);
        if let Some(work) = trial_work {
            orders = Self::ranked(
                space,
                initial,
                budget,
                Effort { work_max: work, ..effort },
                &mut left,
            )?;
        }
        for round in 1.. {
            for (rank, levels) in orders.iter().enumerate() {
                let Some(allowance) = source.allowance(round, rank) else { break };
                let work_max = allowance.min(left);
                let mut set = Self::begin(space, levels.clone(), initial, effort)?;
                match set.close(space, bound, budget, Effort { work_max, ..effort }) {
                    Err(Obstacle::TooMuch) => left = left.saturating_sub(work_max),
                    Err(exhausted @ Obstacle::Exhausted(_)) => return Err(exhausted),
                    Ok(()) => return Ok(set),
                }
                if left == 0 || set.store.is_full(effort) {
                    return Err(Obstacle::TooMuch);
                }
            }
            if trial_work.is_none() {
                // Nothing was compared, and whoever tries learns more about who talks to whom.
                orders = source.orders(space, effort.order);
            }
        }
        Err(Obstacle::TooMuch)
    }

    /// The orders of levels to try, compared where queues hold one message at most, because that takes little: the
    /// first attempts take no more than `effort` says, and all together no more than is `left`.
    fn ranked(
        space: &mut Space,
        initial: &[u32],
        budget: &Budget,
        effort: Effort,
        left: &mut u64,
    ) -> Result<Vec<Levels>, Obstacle> {
        let candidates = |space: &mut Space| source(space).orders(space, effort.order);
        let mut trial = |space: &mut Space, levels: &Levels, work_max: u64| {
            let mut set = Self::begin(space, levels.clone(), initial, effort)?;
            let some = Effort { work_max: work_max.min(*left), ..effort };
            let closed = set.close(space, 1, budget, some);
            *left = left.saturating_sub(set.work());
            match closed {
                Ok(()) => Ok(Some(set.work())),
                Err(Obstacle::TooMuch) if *left > 0 && !set.store.is_full(effort) => Ok(None),
                Err(obstacle) => Err(obstacle),
            }
        };
        let (first, mut best) = 'found: {
            let (mut orders, mut work_max) = (candidates(space), effort.work_max);
            for round in 1.. {
                for number in 0..round.min(orders.len()) {
                    let levels = orders[number % orders.len()].clone();
                    if let Some(work) = trial(space, &levels, work_max >> (2 * number))? {
                        break 'found (levels, work);
                    }
                    // Whoever tries learns more about who talks to whom.
                    orders = candidates(space);
                }
                work_max = work_max.saturating_mul(4);
            }
            return Err(Obstacle::TooMuch);
        };
        let orders = candidates(space);
        // With longer queues the first kind of order gains on the others.
        let favourite = orders[0].clone();
        let worth = |levels: &Levels| if *levels == favourite { 2 } else { 1 };
        best /= worth(&first);
        let mut ranked = vec![(best, first)];
        for levels in orders {
            if levels == ranked[0].1 {
                continue;
            }
            let work = trial(space, &levels, best * worth(&levels))?;
            let work = work.map_or(u64::MAX, |work| work / worth(&levels));
            best = best.min(work);
            ranked.push((work, levels));
        }
        ranked.sort_by_key(|&(work, _)| work);
        Ok(ranked.into_iter().map(|(_, levels)| levels).collect())
    }

    fn begin(
        space: &Space,
        mut levels: Levels,
        initial: &[u32],
        effort: Effort,
    ) -> Result<Self, Obstacle> {
        // Whoever is there now and was not in the beginning did not exist then.
        let n_parts = space.counts().len();
        if n_parts > LEVELS_MAX {
            return Err(Obstacle::TooMuch);
        }
        while levels.len() < n_parts {
            levels.push();
        }
        let mut store = Store::new(levels, Effort { tiny: effort.tiny, ..Effort::ANY });
        let tuple = store.tuple(initial);
        let set = store.diagrams.single(&tuple)?;
        store.set_to(set);
        Ok(Self { store, source: source(space), initial: initial.to_vec() })
    }

    /// Closes the set under all steps within this bound.
    pub(crate) fn close(
        &mut self,
        space: &mut Space,
        bound: u32,
        budget: &Budget,
        effort: Effort,
    ) -> Result<(), Obstacle> {
        let Self { store, source, .. } = self;
        store.allow(effort);
        assert!(bound >= store.bound, "bounds are raised");
        let before = std::mem::replace(&mut store.bound, bound);
        if before != 0 && before != bound {
            store.diagrams.forget_moves();
        }
        loop {
            source.prepare(store, space)?;
            let set = store.set;
            let closed = store.fire(&mut **source, space, budget, |diagrams, events, moves| {
                diagrams.saturate(set, events, moves)
            })?;
            store.set_to(closed);
            if !source.grow(store, space, budget)? {
                return Ok(());
            }
        }
    }

    /// What may be spent from now on.
    pub(crate) fn allow(&mut self, effort: Effort) {
        self.store.allow(effort);
    }

    pub(crate) fn bound(&self) -> u32 {
        self.store.bound
    }

    /// Gives up a set that is held.
    pub(crate) fn release(&mut self, set: Set) {
        self.store.release(set);
    }

    /// How many configurations there are.
    fn count(&self) -> BigUint {
        let Store { diagrams, set, twins, .. } = &self.store;
        if !twins {
            return diagrams.count(*set);
        }
        let filter = self.store.filter().real();
        diagrams.weigh(*set, |level, value| filter.weight(level, value))
    }

    /// How many configurations and steps there are, in full where they do not fit into ordinary numbers.
    pub(crate) fn figures(
        &mut self,
        space: &mut Space,
    ) -> Result<(Figures, Option<Exact>), Obstacle> {
        let (states, transitions) = (self.count(), self.transitions(space)?);
        let capped = |number: &BigUint| u64::try_from(number).unwrap_or(u64::MAX);
        let (bound, capped) = (self.bound(), (capped(&states), capped(&transitions)));
        let is_large = capped.0 == u64::MAX || capped.1 == u64::MAX;
        let (states, transitions) = (states.to_string(), transitions.to_string());
        let exact = is_large.then_some(Exact { bound, states, transitions });
        Ok((Figures { bound, states: capped.0, transitions: capped.1 }, exact))
    }

    /// Nodes of the diagram of the set.
    pub(crate) fn size(&self) -> usize {
        self.store.diagrams.size(self.store.set)
    }

    /// The diagram, level by level from the highest: the part that stands there, and the nodes.
    pub(crate) fn drawn(&mut self) -> Result<Vec<Drawn>, Obstacle> {
        let set = self.store.real(self.store.set)?;
        let levels = &self.store.levels;
        let parts = (0..levels.len()).rev().map(|level| levels.part(level));
        Ok(parts.zip(self.store.diagrams.nodes(set)).collect())
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.store.diagrams.bytes()
    }

    pub(crate) fn work(&self) -> u64 {
        self.store.diagrams.work()
    }

    /// Calls `f` with the values of the parts of every configuration, in a fixed order.
    pub(crate) fn each(&self, mut f: impl FnMut(&[u32])) {
        let Store { diagrams, levels, set, twins, .. } = &self.store;
        diagrams.each(*set, |tuple| {
            if !twins || tuple.iter().all(|value| value & filter::TWIN == 0) {
                f(&levels.by_part(tuple));
            }
            true
        });
    }
}
