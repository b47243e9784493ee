//! One set as a decision diagram, with everything that is needed to work with it: the store of nodes, which part is at
//! which level, the events under which it is closed, and what may be spent.

use qp_base::{Budget, Exhausted, Spent};
use qp_diagrams::{Abort, Diagrams, Events, Limits, Moves, Set};

use super::super::space::Space;
use super::filter::{Filter, TWIN};
use super::order::Levels;
use super::source::{Scene, Source};
use super::{Effort, LEVELS_MAX, Obstacle};

pub(crate) struct Store {
    pub(crate) diagrams: Diagrams,
    pub(crate) levels: Levels,
    pub(crate) events: Events,
    /// The set; it is held.
    pub(crate) set: Set,
    /// Whether it has twins of configurations.
    pub(crate) twins: bool,
    /// How many messages queues hold at most.
    pub(crate) bound: u32,
    limits: Limits,
}

impl Store {
    /// A store of its own for the set without tuples.
    pub(crate) fn new(levels: Levels, effort: Effort) -> Self {
        let limits = Limits { nodes_max: effort.nodes_max, work_max: effort.work_max };
        let diagrams = if effort.tiny { Diagrams::tiny(limits) } else { Diagrams::new(limits) };
        let (events, set) = (Events::default(), Set::EMPTY);
        Self { diagrams, levels, events, set, twins: false, bound: 0, limits }
    }

    /// What may be spent from now on.
    pub(crate) fn allow(&mut self, effort: Effort) {
        let work_max = self.diagrams.work().saturating_add(effort.work_max);
        self.limits = Limits { nodes_max: effort.nodes_max, work_max };
        self.diagrams.limit(self.limits);
    }

    /// Accounts for work that is not that of diagrams.
    pub(crate) fn spend(&mut self, work: u64) {
        self.limits.work_max = self.limits.work_max.saturating_sub(work);
        self.diagrams.limit(self.limits);
    }

    /// Whether there are too many nodes or levels, rather than too little work was allowed.
    pub(crate) fn is_full(&self, effort: Effort) -> bool {
        self.diagrams.n_nodes() >= effort.nodes_max / 8 * 7 || self.levels.len() >= LEVELS_MAX
    }

    /// Keeps a set until it is released. The empty one is always there.
    pub(crate) fn hold(&mut self, set: Set) -> Set {
        if set.is_empty() { set } else { self.diagrams.hold(set) }
    }

    pub(crate) fn release(&mut self, set: Set) {
        if !set.is_empty() {
            self.diagrams.release(set);
        }
    }

    /// Holds a set instead of another one.
    pub(crate) fn replace(&mut self, held: &mut Set, set: Set) {
        self.hold(set);
        self.release(std::mem::replace(held, set));
    }

    /// Another set from now on.
    pub(crate) fn set_to(&mut self, set: Set) {
        let mut held = self.set;
        self.replace(&mut held, set);
        self.set = held;
    }

    /// Makes a held set larger.
    pub(crate) fn join(&mut self, held: &mut Set, more: Set) -> Result<(), Obstacle> {
        let joined = self.diagrams.union(*held, more)?;
        self.replace(held, joined);
        Ok(())
    }

    /// Makes a held set smaller.
    pub(crate) fn subtract(&mut self, held: &mut Set, less: Set) -> Result<(), Obstacle> {
        let rest = self.diagrams.difference(*held, less)?;
        self.replace(held, rest);
        Ok(())
    }

    /// A level more on top, where the set and others that are held have the value 0 everywhere.
    pub(crate) fn add_level(&mut self, others: &mut [&mut Set]) -> Result<(), Obstacle> {
        let level = self.levels.len();
        if level >= LEVELS_MAX {
            return Err(Obstacle::TooMuch);
        }
        let lifted = self.diagrams.lift(self.set, level, 0)?;
        self.set_to(lifted);
        for held in others {
            let lifted = self.diagrams.lift(**held, level, 0)?;
            self.replace(held, lifted);
        }
        self.levels.push();
        Ok(())
    }

    pub(crate) fn filter(&self) -> Filter {
        Filter::new(self.levels.len())
    }

    pub(crate) fn restricted(&mut self, set: Set, filter: &Filter) -> Result<Set, Obstacle> {
        Ok(self.diagrams.restrict(set, |level, value| filter.holds(level, value))?)
    }

    /// The tuples of a set that pass none of these filters.
    pub(crate) fn outside(
        &mut self,
        within: Set,
        filters: impl IntoIterator<Item = Filter>,
    ) -> Result<Set, Obstacle> {
        let (mut all, mut others) = (self.filter(), Vec::new());
        for filter in filters {
            match filter.unwanted() {
                // What asks something of one level only is done at once.
                Some((level, table)) => all.and(level, table),
                None => others.push(filter),
            }
        }
        let rest = self.restricted(within, &all)?;
        let mut rest = self.hold(rest);
        for filter in others {
            if rest.is_empty() {
                break;
            }
            let some = self.restricted(rest, &filter)?;
            self.subtract(&mut rest, some)?;
        }
        self.release(rest);
        Ok(rest)
    }

    /// Without twins.
    pub(crate) fn real(&mut self, set: Set) -> Result<Set, Obstacle> {
        if self.twins { self.restricted(set, &self.filter().real()) } else { Ok(set) }
    }

    /// The configurations whose twins are in a set, and those that are in it themselves.
    pub(crate) fn originals(&mut self, set: Set) -> Result<Set, Obstacle> {
        if !self.twins {
            return Ok(set);
        }
        Ok(self.diagrams.relabel(set, |_, value| value & !TWIN)?)
    }

    /// The values of all parts as a tuple. Parts that are not mentioned have the value 0.
    pub(crate) fn tuple(&self, values: &[u32]) -> Vec<u32> {
        let mut values = values.to_vec();
        values.resize(self.levels.len(), 0);
        self.levels.by_level(&values)
    }

    /// The values of the parts of one of the tuples of a set.
    pub(crate) fn first(&self, set: Set) -> Option<Vec<u32>> {
        self.diagrams.first(set).map(|tuple| self.levels.by_part(&tuple))
    }

    /// For each part: the values that it has in a set that is held, in order.
    pub(crate) fn values(&self, set: Set) -> Vec<Vec<u32>> {
        let mut by_level = self.diagrams.values(set);
        // Levels that were added since are on top.
        by_level.resize(self.levels.len(), Vec::new());
        let parts = 0..self.levels.len() as u32;
        parts.map(|part| std::mem::take(&mut by_level[self.levels.level(part)])).collect()
    }

    /// Does something with events, and what is known of them.
    pub(crate) fn fire<T>(
        &mut self,
        source: &mut dyn Source,
        space: &mut Space,
        budget: &Budget,
        operation: impl FnOnce(&mut Diagrams, &mut Events, &mut dyn Moves) -> Result<T, Abort>,
    ) -> Result<T, Obstacle> {
        let Self { diagrams, events, levels, bound, .. } = self;
        let scene = Scene { space, levels, bound: *bound };
        let mut course = Course { source, scene, budget, exhausted: None };
        let result = operation(diagrams, events, &mut course);
        result.map_err(|abort| match course.exhausted {
            Some(exhausted) if abort == Abort::Stopped => Obstacle::Exhausted(exhausted),
            _ => abort.into(),
        })
    }
}

impl From<Abort> for Obstacle {
    fn from(abort: Abort) -> Self {
        match abort {
            Abort::Nodes | Abort::Work => Self::TooMuch,
            Abort::Stopped => Self::Exhausted(Exhausted::Cancelled),
        }
    }
}

/// A source at work, within limits.
struct Course<'a> {
    source: &'a mut dyn Source,
    scene: Scene<'a>,
    budget: &'a Budget,
    /// The limit that was met.
    exhausted: Option<Exhausted>,
}

impl Moves for Course<'_> {
    fn meet(&mut self, level: usize, value: u32, events: &mut Events) {
        if self.source.meet(&mut self.scene, level, value, events) {
            self.exhausted = self.budget.ask_for_time().err();
        }
    }

    fn is_late(&self) -> bool {
        self.exhausted.is_some()
    }

    fn next(&mut self, relation: u32, value: u32, found: &mut Vec<u32>) {
        self.source.next(&mut self.scene, relation, value, found);
    }

    fn leads(&mut self, relation: u32, value: u32) -> bool {
        self.source.leads(&mut self.scene, relation, value)
    }

    fn may_go_on(&mut self, n_nodes: usize, bytes: u64) -> bool {
        let spent = Spent { states: n_nodes as u64, bytes: bytes + self.scene.space.bytes() };
        self.exhausted = self.budget.check(spent).err();
        self.exhausted.is_none()
    }
}
