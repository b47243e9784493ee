//! Sets that are kept as decision diagrams, each with a store of its own, so that they are values like any other.

use num_bigint::BigUint;
use qp_base::Budget;
use qp_diagrams::{Diagrams, Events, Limits, Moves, Set};
use qp_machines::MachineId;

use super::super::compiled::Compiled;
use super::order::Levels;
use super::relations::Relations;
use super::{Effort, Obstacle, Symbolic, obstacle};

/// So many configurations are put in order by sorting.
const SORTED: u32 = if cfg!(test) { 8 } else { 10_000 };

/// A set of configurations as a decision diagram.
pub(crate) struct Drawing {
    diagrams: Diagrams,
    /// The set; it is held.
    set: Set,
    levels: Levels,
    /// What may be spent on making another set of it.
    effort: Effort,
}

impl Drawing {
    /// The set without configurations.
    pub(crate) fn empty(effort: Effort) -> Self {
        let mut diagrams = store(effort);
        let set = diagrams.hold(Set::EMPTY);
        Self { diagrams, set, levels: Levels::new(Vec::new()), effort }
    }

    pub(crate) fn add(&mut self, values: &[u32]) -> Result<(), Obstacle> {
        self.refresh();
        while self.levels.len() < values.len() {
            self.add_level()?;
        }
        let tuple = self.levels.by_level(&self.padded(values));
        let with = self.diagrams.with_tuple(self.set, &tuple);
        self.replace(with.map_err(|abort| obstacle(abort, None))?);
        Ok(())
    }

    pub(crate) fn contains(&self, values: &[u32]) -> bool {
        let more = values.get(self.levels.len()..).unwrap_or_default();
        let values = self.padded(values);
        more.iter().all(|&value| value == 0)
            && self.diagrams.contains(self.set, &self.levels.by_level(&values))
    }

    pub(crate) fn n_nodes(&self) -> usize {
        self.diagrams.size(self.set)
    }

    pub(crate) fn count(&self) -> BigUint {
        self.diagrams.count(self.set)
    }

    /// Calls `f` with every configuration, in the order of the values of parts, until it says no. Says whether it never
    /// did.
    pub(crate) fn each(&self, f: &mut dyn FnMut(&[u32]) -> bool) -> bool {
        let mut scratch = Diagrams::new(NO_LIMITS);
        let set = scratch.adopt(&self.diagrams, self.set, |_, value| value);
        let set = set.expect("there are no limits");
        self.descend(&mut scratch, set, 0, f)
    }

    /// Fixes the values of one part after the other, until few configurations are left.
    fn descend(
        &self,
        scratch: &mut Diagrams,
        set: Set,
        part: usize,
        f: &mut dyn FnMut(&[u32]) -> bool,
    ) -> bool {
        if scratch.count(set) <= BigUint::from(SORTED) {
            let mut rows = Vec::new();
            scratch.each(set, |tuple| {
                rows.push(self.levels.by_part(tuple));
                true
            });
            rows.sort_unstable();
            return rows.iter().all(|values| f(values));
        }
        let level = self.levels.level(part as u32);
        scratch.hold(set);
        let values = std::mem::take(&mut scratch.values(set)[level]);
        let goes_on = values.into_iter().all(|wanted| {
            let some = scratch.restrict(set, |at, value| at != level || value == wanted);
            self.descend(scratch, some.expect("there are no limits"), part + 1, f)
        });
        scratch.release(set);
        goes_on
    }

    /// Each value replaced by what `label` says of part and value.
    pub(crate) fn project(&self, label: impl FnMut(usize, u32) -> u32) -> Result<Self, Obstacle> {
        Self::of(&self.diagrams, self.set, &self.levels, self.effort, label)
    }

    pub(crate) fn is_subset(&self, other: &Self) -> Result<bool, Obstacle> {
        let (mine, theirs) = (self.alike()?, other.alike()?);
        let mut both = mine;
        while both.levels.len() < theirs.levels.len() {
            both.add_level()?;
        }
        let mut theirs = theirs;
        while theirs.levels.len() < both.levels.len() {
            theirs.add_level()?;
        }
        if both.levels != theirs.levels {
            theirs = theirs.reordered(&both.levels)?;
        }
        let its = both.diagrams.adopt(&theirs.diagrams, theirs.set, |_, value| value);
        let its = its.and_then(|its| both.diagrams.is_subset(both.set, its));
        its.map_err(|abort| obstacle(abort, None))
    }

    /// What the steps of one machine make of the configurations, where queues hold no more than `bound` messages.
    pub(crate) fn image(
        &self,
        compiled: &mut Compiled,
        machine: MachineId,
        bound: u32,
        budget: &Budget,
    ) -> Result<Self, Obstacle> {
        let mut from = self.alike()?;
        while from.levels.len() < compiled.tables().parts.len() {
            from.add_level()?;
        }
        let (events, relations, initial) = (Events::default(), Relations::default(), Vec::new());
        let Self { diagrams, set, levels, effort } = from;
        let mut symbolic = Symbolic { diagrams, events, relations, levels, set, initial, bound };
        let set = symbolic.moved(compiled, machine, budget)?;
        let Symbolic { diagrams, levels, .. } = symbolic;
        Ok(Self { diagrams, set, levels, effort })
    }

    /// The same set in another store.
    fn alike(&self) -> Result<Self, Obstacle> {
        self.project(|_, value| value)
    }

    /// The same set with its levels in another order: one by one, because there is no better way if they differ much.
    fn reordered(&self, levels: &Levels) -> Result<Self, Obstacle> {
        let mut diagrams = store(self.effort);
        let set = diagrams.hold(Set::EMPTY);
        let mut reordered = Self { diagrams, set, levels: levels.clone(), effort: self.effort };
        let (mut result, mut left) = (Ok(()), self.effort.work_max);
        self.each(&mut |values| {
            result = match left.checked_sub(1) {
                Some(less) => {
                    left = less;
                    reordered.add(values)
                }
                None => Err(Obstacle::TooMuch),
            };
            result.is_ok()
        });
        result.map(|()| reordered)
    }

    fn of(
        diagrams: &Diagrams,
        set: Set,
        levels: &Levels,
        effort: Effort,
        mut label: impl FnMut(usize, u32) -> u32,
    ) -> Result<Self, Obstacle> {
        let mut own = store(effort);
        let set = own.adopt(diagrams, set, |level, value| label(levels.part(level), value));
        let set = own.hold(set.map_err(|abort| obstacle(abort, None))?);
        Ok(Self { diagrams: own, set, levels: levels.clone(), effort })
    }

    /// A part more, with the value 0 everywhere.
    fn add_level(&mut self) -> Result<(), Obstacle> {
        let lifted = self.diagrams.lift(self.set, self.levels.len(), 0);
        self.replace(lifted.map_err(|abort| obstacle(abort, None))?);
        self.levels.push();
        Ok(())
    }

    fn replace(&mut self, set: Set) {
        self.diagrams.hold(set);
        self.diagrams.release(self.set);
        self.set = set;
    }

    /// As many values as there are levels.
    fn padded(&self, values: &[u32]) -> Vec<u32> {
        let mut values = values.to_vec();
        values.resize(self.levels.len(), 0);
        values
    }

    /// What may be spent from now on.
    fn refresh(&mut self) {
        let work_max = self.diagrams.work().saturating_add(self.effort.work_max);
        self.diagrams.limit(Limits { nodes_max: self.effort.nodes_max, work_max });
    }
}

const NO_LIMITS: Limits = Limits { nodes_max: usize::MAX >> 1, work_max: u64::MAX };

fn store(effort: Effort) -> Diagrams {
    let limits = Limits { nodes_max: effort.nodes_max, work_max: effort.work_max };
    if effort.tiny { Diagrams::tiny(limits) } else { Diagrams::new(limits) }
}

impl Symbolic {
    /// What the steps of one machine make of the set, held.
    fn moved(
        &mut self,
        compiled: &mut Compiled,
        machine: MachineId,
        budget: &Budget,
    ) -> Result<Set, Obstacle> {
        for (level, values) in self.diagrams.values(self.set).into_iter().enumerate() {
            let (mut course, events, _) = self.course(compiled, budget);
            for value in values {
                course.meet(level, value, events);
            }
        }
        self.make_room(compiled, budget)?;
        let mut found = self.diagrams.hold(Set::EMPTY);
        let part = compiled.tables().part_of.get(machine.index()).copied();
        for event in self.events.ids() {
            let touches = self.events.event(event).touches();
            if touches.iter().all(|touch| self.relations.owner(touch.relation) != part) {
                continue;
            }
            let set = self.set;
            let (mut course, events, diagrams) = self.course(compiled, budget);
            let some = diagrams.image(set, event, events, &mut course);
            let exhausted = course.exhausted;
            self.join(&mut found, some.map_err(|abort| obstacle(abort, exhausted))?)?;
        }
        Ok(found)
    }

    /// The set at hand, to be kept however this goes on.
    pub(crate) fn keep(&mut self) -> Set {
        self.diagrams.hold(self.set)
    }

    /// A set that is held, as a value of its own.
    pub(crate) fn drawing(&self, set: Set, effort: Effort) -> Result<Drawing, Obstacle> {
        // Levels that were added since are on top.
        let n_levels = self.diagrams.first(set).map_or(0, |tuple| tuple.len());
        let parts = (0..n_levels).map(|level| self.levels.part(level) as u32);
        Drawing::of(&self.diagrams, set, &Levels::new(parts.collect()), effort, |_, value| value)
    }

    /// For each part: the values that it has in some configuration of a set that is held, in order.
    pub(crate) fn values(&self, set: Set) -> Vec<Vec<u32>> {
        let mut by_level = self.diagrams.values(set);
        // Levels that were added since are on top.
        by_level.resize(self.levels.len(), Vec::new());
        (0..self.levels.len() as u32)
            .map(|part| by_level[self.levels.level(part)].clone())
            .collect()
    }

    /// A configuration of a set.
    pub(crate) fn first(&self, set: Set) -> Option<Vec<u32>> {
        self.diagrams.first(set).map(|tuple| self.levels.by_part(&tuple))
    }
}
