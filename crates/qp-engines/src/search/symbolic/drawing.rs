//! Sets that are kept as decision diagrams, each with a store of its own, so that they are values like any other.

use num_bigint::BigUint;
use qp_diagrams::{Diagrams, Limits, Set};

use super::order::Levels;
use super::store::Store;
use super::{DiagramSet, Effort, Obstacle};

/// So many configurations are put in order by sorting.
const SORTED: u32 = if cfg!(test) { 8 } else { 10_000 };

/// A set of configurations as a decision diagram.
pub(crate) struct Drawing {
    store: Store,
    /// What may be spent on making another set of it.
    effort: Effort,
}

impl Drawing {
    /// The set without configurations.
    pub(crate) fn empty(effort: Effort) -> Self {
        Self { store: Store::new(Levels::new(Vec::new()), effort), effort }
    }

    pub(crate) fn add(&mut self, values: &[u32]) -> Result<(), Obstacle> {
        self.store.allow(self.effort);
        self.make_room(values.len())?;
        let tuple = self.store.tuple(values);
        let with = self.store.diagrams.with_tuple(self.store.set, &tuple)?;
        self.store.set_to(with);
        Ok(())
    }

    /// Parts up to this many, with the value 0 everywhere.
    fn make_room(&mut self, n_parts: usize) -> Result<(), Obstacle> {
        while self.store.levels.len() < n_parts {
            self.store.add_level(&mut [])?;
        }
        Ok(())
    }

    pub(crate) fn contains(&self, values: &[u32]) -> bool {
        let more = values.get(self.store.levels.len()..).unwrap_or_default();
        more.iter().all(|&value| value == 0)
            && self.store.diagrams.contains(self.store.set, &self.store.tuple(values))
    }

    pub(crate) fn n_nodes(&self) -> usize {
        self.store.diagrams.size(self.store.set)
    }

    pub(crate) fn count(&self) -> BigUint {
        self.store.diagrams.count(self.store.set)
    }

    /// Calls `f` with every configuration, in the order of the values of parts, until it says no. Says whether it never
    /// did.
    pub(crate) fn each(&self, f: &mut dyn FnMut(&[u32]) -> bool) -> bool {
        let mut scratch = Diagrams::new(NO_LIMITS);
        let set = scratch.adopt(&self.store.diagrams, self.store.set, |_, value| value);
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
                rows.push(self.store.levels.by_part(tuple));
                true
            });
            rows.sort_unstable();
            return rows.iter().all(|values| f(values));
        }
        let level = self.store.levels.level(part as u32);
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
        Self::of(&self.store, self.store.set, self.effort, label)
    }

    pub(crate) fn is_subset(&self, other: &Self) -> Result<bool, Obstacle> {
        let (mut mine, mut theirs) = (self.alike()?, other.alike()?);
        mine.make_room(theirs.store.levels.len())?;
        theirs.make_room(mine.store.levels.len())?;
        if mine.store.levels != theirs.store.levels {
            theirs = theirs.reordered(&mine.store.levels)?;
        }
        let (diagrams, set) = (&mut mine.store.diagrams, mine.store.set);
        let its = diagrams.adopt(&theirs.store.diagrams, theirs.store.set, |_, value| value)?;
        Ok(diagrams.is_subset(set, its)?)
    }

    /// The same set in another store.
    fn alike(&self) -> Result<Self, Obstacle> {
        self.project(|_, value| value)
    }

    /// The same set with its levels in another order: one by one, because there is no better way if they differ much.
    fn reordered(&self, levels: &Levels) -> Result<Self, Obstacle> {
        let mut reordered =
            Self { store: Store::new(levels.clone(), self.effort), effort: self.effort };
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
        from: &Store,
        set: Set,
        effort: Effort,
        mut label: impl FnMut(usize, u32) -> u32,
    ) -> Result<Self, Obstacle> {
        // Levels that were added since are on top.
        let n_levels = from.diagrams.first(set).map_or(0, |tuple| tuple.len());
        let parts = (0..n_levels).map(|level| from.levels.part(level) as u32);
        let mut store = Store::new(Levels::new(parts.collect()), effort);
        let label = |level: usize, value: u32| label(from.levels.part(level), value);
        let set = store.diagrams.adopt(&from.diagrams, set, label)?;
        store.set_to(set);
        Ok(Self { store, effort })
    }
}

const NO_LIMITS: Limits = Limits { nodes_max: usize::MAX >> 1, work_max: u64::MAX };

impl DiagramSet {
    /// The set at hand, to be kept however this goes on.
    pub(crate) fn keep(&mut self) -> Set {
        self.store.hold(self.store.set)
    }

    /// A set that is held, as a value of its own.
    pub(crate) fn drawing(&self, set: Set, effort: Effort) -> Result<Drawing, Obstacle> {
        Drawing::of(&self.store, set, effort, |_, value| value)
    }

    /// For each part: the values that it has in some configuration of a set that is held, in order.
    pub(crate) fn values(&self, set: Set) -> Vec<Vec<u32>> {
        self.store.values(set)
    }

    /// A configuration of a set.
    pub(crate) fn first(&self, set: Set) -> Option<Vec<u32>> {
        self.store.first(set)
    }
}
