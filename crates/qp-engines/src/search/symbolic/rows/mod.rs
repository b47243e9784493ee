//! Relations from compiled rows, for machines that meet only through queues.
//!
//! Levels are the parts of compiled systems: a machine with the queues that it reads, a queue without a reader, the
//! store. The steps of a value become events when the value is met for the first time.

mod cases;
mod events;

use qp_base::{Budget, Interner};
use qp_diagrams::{Events, Set};

use self::cases::{Asker, Group, Room};
use self::events::{Creator, Making, OwnStep, Relation, has_room};
use super::super::compiled::Compiled;
use super::super::marks::{Marks, Watch};
use super::super::space::Space;
use super::Obstacle;
use super::filter::table;
use super::order::{self, Levels};
use super::source::{Case, Kind, Look, Scene, Source, wrong_space};
use super::store::Store;
use crate::Order;

/// Work of the first attempts to close a set with short queues: a thousandth of a second.
const TRIAL_WORK: u64 = 20_000;

/// Work of the first attempt with the best order of levels.
const FIRST_WORK: u64 = 100_000;

/// All relations, and the steps behind them.
#[derive(Default)]
pub(super) struct Rows {
    all: Interner<usize, Relation>,
    /// For each part and value: its steps, once the value was met.
    steps: Vec<Vec<Option<Vec<OwnStep>>>>,
    groups: Interner<usize, Group>,
    /// For each group: how many of its steps each value of the part has.
    weights: Vec<Vec<u32>>,
    creators: Vec<Creator>,
}

impl Source for Rows {
    fn orders(&self, space: &mut Space, order: Order) -> Vec<Levels> {
        order::candidates(compiled(space), order)
    }

    fn trial_work(&self) -> Option<u64> {
        Some(TRIAL_WORK)
    }

    /// Whoever comes later may take a quarter of what the one before may.
    fn allowance(&self, round: u32, rank: usize) -> Option<u64> {
        let allowance = FIRST_WORK.saturating_mul(4_u64.saturating_pow(round - 1));
        (rank < round as usize).then_some(allowance >> (2 * rank))
    }

    fn meet(
        &mut self,
        scene: &mut Scene<'_>,
        level: usize,
        value: u32,
        events: &mut Events,
    ) -> bool {
        let part = scene.levels.part(level);
        if self.was_met(part, value) {
            return false;
        }
        let (compiled, levels) = (compiled(scene.space), scene.levels);
        Making { rows: self, compiled, levels, events }.learn(part as u32, value);
        true
    }

    fn next(&mut self, scene: &mut Scene<'_>, relation: u32, value: u32, found: &mut Vec<u32>) {
        let (compiled, bound) = (compiled(scene.space), scene.bound);
        match *self.all.value(relation as usize) {
            Relation::Own { group, .. } => {
                let mine = self.own(group.part, value).iter();
                let mine = mine.filter(|step| step.relation == relation);
                let fits = mine.filter(|step| has_room(compiled, bound, step.room, value));
                found.extend(fits.map(|step| step.next));
            }
            Relation::Other { part, share } => {
                if share.allows(compiled, bound, part, value) {
                    found.push(share.change(compiled, value));
                }
            }
        }
    }

    fn leads(&mut self, scene: &mut Scene<'_>, relation: u32, value: u32) -> bool {
        let (compiled, bound) = (compiled(scene.space), scene.bound);
        match *self.all.value(relation as usize) {
            Relation::Own { group, .. } => {
                let mine = self.own(group.part, value).iter();
                let mut mine = mine.filter(|step| step.relation == relation);
                mine.any(|step| has_room(compiled, bound, step.room, value))
            }
            Relation::Other { part, share } => share.allows(compiled, bound, part, value),
        }
    }

    /// Adds a level if the set has a configuration in which one machine more can be created than ever before.
    fn grow(&mut self, store: &mut Store, space: &mut Space, _: &Budget) -> Result<bool, Obstacle> {
        let compiled = compiled(space);
        let n_machines = compiled.tables().part_of.len() as u32;
        let Some(creator) = self.creator(store, compiled, n_machines)? else { return Ok(false) };
        store.add_level(&mut [])?;
        compiled.supply(creator.missing(n_machines));
        assert_eq!(compiled.tables().parts.len(), store.levels.len(), "a part was added");
        let Store { levels, events, .. } = store;
        for creator in self.creators.clone() {
            Making { rows: self, compiled, levels, events }.add_birth(creator, n_machines);
        }
        Ok(true)
    }

    fn cases(&mut self, store: &mut Store, space: &mut Space, kind: Kind) -> Vec<Case> {
        Asker { rows: self, store, compiled: compiled(space) }.cases(kind)
    }

    fn still(&mut self, store: &mut Store, space: &mut Space) -> Result<Set, Obstacle> {
        let cases = self.cases(store, space, Kind::Acts(None));
        store.outside(store.set, cases.into_iter().map(|case| case.filter))
    }

    fn table(&self, space: &mut Space, part: usize, look: Look) -> Vec<u32> {
        self.met(compiled(space), part as u32, |compiled, value| match look {
            Look::Marked(mark) => marks(compiled, part, value).all & mark != 0,
            Look::Unmarked(mark) => marks(compiled, part, value).all & mark == 0,
            Look::Longer(queue, len) => compiled.tables().queues[queue].lens[value as usize] > len,
            Look::Exists => !compiled.tables().parts[part].is_absent(value),
        })
    }

    fn part_of(&self, space: &mut Space, queue: usize) -> Option<usize> {
        compiled(space).tables().queues.get(queue).map(|queue| queue.part as usize)
    }

    fn watch<'a>(&self, space: &'a mut Space) -> (&'a Watch, u128) {
        let tables = compiled(space).tables();
        (&tables.watch, tables.nobody.all)
    }

    fn successors(&mut self, store: &Store, space: &mut Space, values: &[u32]) -> Vec<Vec<u32>> {
        let tuple = store.levels.by_level(values);
        let mut scene = Scene { space, levels: &store.levels, bound: store.bound };
        let mut found = Vec::new();
        for event in store.events.ids() {
            let mut all = vec![tuple.clone()];
            for touch in store.events.event(event).touches() {
                let mut after = Vec::new();
                if self.leads(&mut scene, touch.relation, tuple[touch.level]) {
                    self.next(&mut scene, touch.relation, tuple[touch.level], &mut after);
                }
                let with = |old: &Vec<u32>, value: u32| {
                    let mut new = old.clone();
                    new[touch.level] = value;
                    new
                };
                all = all.iter().flat_map(|old| after.iter().map(|&it| with(old, it))).collect();
            }
            found.extend(all.iter().map(|tuple| store.levels.by_part(tuple)));
        }
        found
    }
}

impl Rows {
    /// A step that creates a machine in some configuration with so many machines.
    fn creator(
        &self,
        store: &mut Store,
        compiled: &mut Compiled,
        n_machines: u32,
    ) -> Result<Option<Creator>, Obstacle> {
        let mut tried = Vec::new();
        for creator in &self.creators {
            let group = creator.group(n_machines);
            if tried.contains(&group) {
                continue;
            }
            tried.push(group);
            let level = store.levels.level(group.part);
            let mine = |value: u32| {
                move |other: &&Creator| other.group(n_machines) == group && other.value == value
            };
            let able = |_: &mut Compiled, value| self.creators.iter().any(|it| mine(value)(&it));
            let mut filter = store.filter();
            filter.and(level, self.met(compiled, group.part, able));
            Asker { rows: self, store, compiled }.ask(&mut filter, &group, Room::Fits);
            let there = store.restricted(store.set, &filter)?;
            if let Some(tuple) = store.diagrams.first(there) {
                return Ok(self.creators.iter().find(mine(tuple[level])).copied());
            }
        }
        Ok(None)
    }

    /// A table of the values of a part that were met and of which `holds` is true.
    fn met(
        &self,
        compiled: &mut Compiled,
        part: u32,
        mut holds: impl FnMut(&mut Compiled, u32) -> bool,
    ) -> Vec<u32> {
        let n_values = compiled.tables().parts[part as usize].values.len();
        table(n_values, |value| self.was_met(part as usize, value) && holds(compiled, value))
    }

    fn own(&self, part: u32, value: u32) -> &[OwnStep] {
        let steps = self.steps[part as usize].get(value as usize).and_then(Option::as_ref);
        steps.expect("values in sets were met")
    }

    /// Whether a value of a part was ever in a set.
    fn was_met(&self, part: usize, value: u32) -> bool {
        let steps = self.steps.get(part).and_then(|of| of.get(value as usize));
        steps.is_some_and(Option::is_some)
    }

    fn begin(&mut self, part: u32, value: u32, n_steps: usize) {
        let (part, value) = (part as usize, value as usize);
        if part >= self.steps.len() {
            self.steps.resize_with(part + 1, Vec::new);
        }
        if value >= self.steps[part].len() {
            self.steps[part].resize_with(value + 1, || None);
        }
        self.steps[part][value] = Some(Vec::with_capacity(n_steps));
    }

    /// A value has one step of a group more.
    fn count(&mut self, group: Group, value: u32) {
        let number = self.groups.intern(group);
        if number == self.weights.len() {
            self.weights.push(Vec::new());
        }
        let weights = &mut self.weights[number];
        if value as usize >= weights.len() {
            weights.resize(value as usize + 1, 0);
        }
        weights[value as usize] += 1;
    }
}

/// What a value of a part that was met says.
fn marks(compiled: &Compiled, part: usize, value: u32) -> Marks {
    *compiled.tables().parts[part].compiled(value).expect("values in sets were met").1
}

fn compiled(space: &mut Space) -> &mut Compiled {
    match space {
        Space::Compiled(compiled) => compiled,
        Space::Turns(_) => wrong_space(),
    }
}
