//! What is to be said about a set: steps between its configurations, cut sends, and what violates something.

use std::ops::RangeInclusive;

use num_bigint::BigUint;
use qp_diagrams::Set;
use qp_machines::Property;

use super::super::compiled::Compiled;
use super::super::marks::{Ends, Marks, RESTS};
use super::super::parts::{FAILS, NONE};
use super::relations::{EndGroup, Group, is_open, observed};
use super::{Obstacle, Symbolic, obstacle};

/// What is asked of the queue that is sent to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Room {
    /// The bound leaves room.
    Fits,
    /// Only the bound leaves no room.
    Cut,
    /// There is room, or there would be without the bound.
    Either,
}

/// For each level: the values that are wanted there, if not all are.
pub(super) struct Filter {
    wanted: Vec<Option<Vec<bool>>>,
}

impl Filter {
    pub(super) fn new(n_levels: usize) -> Self {
        Self { wanted: vec![None; n_levels] }
    }

    pub(super) fn and(&mut self, level: usize, table: Vec<bool>) {
        match &mut self.wanted[level] {
            None => self.wanted[level] = Some(table),
            Some(old) => {
                for (value, wanted) in old.iter_mut().enumerate() {
                    *wanted &= table.get(value).is_some_and(|&wanted| wanted);
                }
            }
        }
    }

    /// The levels at which something is asked, and this one, and those between them.
    fn range(&self, with: usize) -> RangeInclusive<usize> {
        let asked = |level: &usize| *level == with || self.wanted[*level].is_some();
        let first = (0..self.wanted.len()).find(asked);
        let last = (0..self.wanted.len()).rfind(asked);
        first.unwrap_or(with)..=last.unwrap_or(with)
    }

    fn holds(&self, level: usize, value: u32) -> bool {
        let Some(table) = &self.wanted[level] else { return true };
        table.get(value as usize).is_some_and(|&wanted| wanted)
    }
}

impl Symbolic {
    pub(super) fn restricted(&mut self, set: Set, filter: &Filter) -> Result<Set, Obstacle> {
        let wanted = |level: usize, value: u32| filter.holds(level, value);
        self.diagrams.restrict(set, wanted).map_err(|abort| obstacle(abort, None))
    }

    /// A table of the values of a part that were met and of which `holds` is true.
    pub(super) fn table(
        &self,
        compiled: &mut Compiled,
        part: u32,
        mut holds: impl FnMut(&mut Compiled, u32) -> bool,
    ) -> Vec<bool> {
        let n_values = compiled.tables().parts[part as usize].values.len() as u32;
        let mut table = vec![false; n_values as usize];
        for value in 0..n_values {
            if self.relations.was_met(part as usize, value) {
                table[value as usize] = holds(compiled, value);
            }
        }
        table
    }

    /// Where steps of a group can be taken, or are cut.
    pub(super) fn filter(&self, compiled: &mut Compiled, group: &Group, room: Room) -> Filter {
        let mut filter = Filter::new(self.levels.len());
        if let Some(number) = self.relations.groups.find(group) {
            let weights = &self.relations.weights[number];
            let own = weights.iter().map(|&weight| weight > 0).collect();
            filter.and(self.levels.level(group.part), own);
        }
        self.ask(compiled, &mut filter, group.gate, group.announces);
        if group.room != NONE {
            let (part, bound) = (compiled.tables().queues[group.room as usize].part, self.bound);
            let table = self.table(compiled, part, |compiled, value| {
                let tables = compiled.tables();
                let queue = &tables.queues[group.room as usize];
                let len = queue.lens[value as usize];
                let exists = !tables.parts[part as usize].is_absent(value);
                let fits = match room {
                    Room::Fits => len < bound,
                    Room::Cut => len >= bound,
                    Room::Either => true,
                };
                exists && fits && len < queue.capacity
            });
            filter.and(self.levels.level(part), table);
        }
        if let Some(n_machines) = group.n_machines {
            self.ask_number(compiled, &mut filter, n_machines as usize);
        }
        filter
    }

    /// Only where so many machines exist.
    fn ask_number(&self, compiled: &mut Compiled, filter: &mut Filter, n_machines: usize) {
        let tables = compiled.tables();
        let (n_initial, part_of) = (tables.n_initial, tables.part_of.clone());
        for (number, exists) in [(n_machines, false), (n_machines - 1, true)] {
            if let Some(&part) = part_of.get(number).filter(|_| number >= n_initial) {
                let table = self.table(compiled, part, |compiled, value| {
                    compiled.tables().parts[part as usize].is_absent(value) != exists
                });
                filter.and(self.levels.level(part), table);
            }
        }
    }

    pub(super) fn ask(
        &self,
        compiled: &mut Compiled,
        filter: &mut Filter,
        gate: Option<(u32, u32)>,
        announces: Option<u32>,
    ) {
        if let Some(gate) = gate {
            let part = compiled.tables().queues[gate.0 as usize].part;
            let table = self.table(compiled, part, |compiled, value| {
                let exists = !compiled.tables().parts[part as usize].is_absent(value);
                exists && is_open(compiled, gate, value)
            });
            filter.and(self.levels.level(part), table);
        }
        if let Some(letter) = announces {
            self.ask_watchers(compiled, filter, &mut |compiled, value| {
                observed(compiled, letter, value) < FAILS
            });
        }
    }

    fn ask_watchers(
        &self,
        compiled: &mut Compiled,
        filter: &mut Filter,
        holds: &mut dyn FnMut(&mut Compiled, u32) -> bool,
    ) {
        let watchers = compiled.tables().watchers.as_ref();
        let part = watchers.expect("who announces is watched").part;
        let table = self.table(compiled, part, holds);
        filter.and(self.levels.level(part), table);
    }

    /// How many steps there are between the configurations.
    pub(crate) fn transitions(&self, compiled: &mut Compiled) -> BigUint {
        let census = self.diagrams.census(self.set);
        let mut sum = BigUint::ZERO;
        for (number, group) in self.relations.groups.values().iter().enumerate() {
            let filter = self.filter(compiled, group, Room::Fits);
            let (own, weights) = (self.levels.level(group.part), &self.relations.weights[number]);
            sum += census.weigh(filter.range(own), |level, value| {
                if !filter.holds(level, value) {
                    0
                } else if level == own {
                    u64::from(weights[value as usize])
                } else {
                    1
                }
            });
        }
        sum
    }

    /// The configurations in which a send to a queue is cut.
    pub(crate) fn cut(&mut self, compiled: &mut Compiled, queue: usize) -> Result<Set, Obstacle> {
        let mut cut = self.diagrams.hold(Set::EMPTY);
        for group in self.relations.groups.values().to_vec() {
            if group.room as usize == queue {
                let filter = self.filter(compiled, &group, Room::Cut);
                let some = self.restricted(self.set, &filter)?;
                self.join(&mut cut, some)?;
            }
        }
        self.diagrams.release(cut);
        Ok(cut)
    }

    /// The configurations in which a queue holds more than this many messages.
    pub(crate) fn longer(
        &mut self,
        compiled: &mut Compiled,
        queue: usize,
        bound: u32,
    ) -> Result<Set, Obstacle> {
        let Some(part) = compiled.tables().queues.get(queue).map(|queue| queue.part) else {
            return Ok(Set::EMPTY);
        };
        let table = self.table(compiled, part, |compiled, value| {
            compiled.tables().queues[queue].lens[value as usize] > bound
        });
        let mut filter = Filter::new(self.levels.len());
        filter.and(self.levels.level(part), table);
        self.restricted(self.set, &filter)
    }

    /// The configurations in which a queue exists.
    pub(crate) fn with_queue(
        &mut self,
        compiled: &mut Compiled,
        queue: usize,
    ) -> Result<Set, Obstacle> {
        let part = compiled.tables().queues[queue].part;
        let table = self.table(compiled, part, |compiled, value| {
            !compiled.tables().parts[part as usize].is_absent(value)
        });
        let mut filter = Filter::new(self.levels.len());
        filter.and(self.levels.level(part), table);
        self.restricted(self.set, &filter)
    }

    /// Makes a held set larger.
    pub(super) fn join(&mut self, held: &mut Set, more: Set) -> Result<(), Obstacle> {
        let joined = self.diagrams.union(*held, more).map_err(|abort| obstacle(abort, None))?;
        self.diagrams.hold(joined);
        self.diagrams.release(*held);
        *held = joined;
        Ok(())
    }

    /// Makes a held set smaller.
    pub(super) fn subtract(&mut self, held: &mut Set, less: Set) -> Result<(), Obstacle> {
        let rest = self.diagrams.difference(*held, less).map_err(|abort| obstacle(abort, None))?;
        self.diagrams.hold(rest);
        self.diagrams.release(*held);
        *held = rest;
        Ok(())
    }

    /// The queues to which sends are cut.
    pub(crate) fn stalled(&mut self, compiled: &mut Compiled) -> Result<Vec<usize>, Obstacle> {
        let n_queues = compiled.tables().queues.len();
        let mut stalled = Vec::new();
        for queue in 0..n_queues {
            if !self.cut(compiled, queue)?.is_empty() {
                stalled.push(queue);
            }
        }
        Ok(stalled)
    }

    /// A configuration in which the interpreter gave up.
    pub(crate) fn gave_up(
        &mut self,
        compiled: &mut Compiled,
    ) -> Result<Option<Vec<u32>>, Obstacle> {
        let set = self.ending(compiled, self.set, &|ends| ends.has(Ends::GAVE_UP))?;
        Ok(self.diagrams.first(set).map(|tuple| self.levels.by_part(&tuple)))
    }

    /// The configurations of a held set in which a step comes to an end that is wanted.
    pub(super) fn ending(
        &mut self,
        compiled: &mut Compiled,
        within: Set,
        wanted: &dyn Fn(Ends) -> bool,
    ) -> Result<Set, Obstacle> {
        let mut found = self.diagrams.hold(Set::EMPTY);
        for part in 0..self.levels.len() as u32 {
            let mut filter = Filter::new(self.levels.len());
            let table = self
                .table(compiled, part, |compiled, value| wanted(marks(compiled, part, value).ends));
            if table.contains(&true) {
                filter.and(self.levels.level(part), table);
                let some = self.restricted(within, &filter)?;
                self.join(&mut found, some)?;
            }
        }
        for (number, group) in self.relations.end_groups.values().to_vec().into_iter().enumerate() {
            if let Some(filter) = self.end_filter(compiled, number, &group, wanted) {
                let some = self.restricted(within, &filter)?;
                self.join(&mut found, some)?;
            }
        }
        self.diagrams.release(found);
        Ok(found)
    }

    /// Where steps of a group of ends come to an end that is wanted.
    pub(super) fn end_filter(
        &self,
        compiled: &mut Compiled,
        number: usize,
        group: &EndGroup,
        wanted: &dyn Fn(Ends) -> bool,
    ) -> Option<Filter> {
        let mut filter = Filter::new(self.levels.len());
        let own = self.relations.ending[number].clone();
        filter.and(self.levels.level(group.part), own);
        match (group.ends, group.announces) {
            (Some(ends), announces) => {
                if !wanted(ends) {
                    return None;
                }
                self.ask(compiled, &mut filter, group.gate, announces);
            }
            (None, announces) => {
                let letter = announces.expect("only who announces can end without ends");
                self.ask(compiled, &mut filter, group.gate, None);
                self.ask_watchers(compiled, &mut filter, &mut |compiled, value| {
                    let after = observed(compiled, letter, value);
                    after >= FAILS && {
                        let watchers = compiled.tables().watchers.as_ref();
                        let failures = &watchers.expect("they have just failed").failures;
                        wanted(failures[(after & !FAILS) as usize])
                    }
                });
            }
        }
        Some(filter)
    }

    /// The configurations that violate the watched property with this bit.
    pub(crate) fn wrong(&mut self, compiled: &mut Compiled, bit: usize) -> Result<Set, Obstacle> {
        let property = compiled.tables().watch.properties()[bit];
        match property {
            Property::Assert | Property::Divergence | Property::Unhandled => {
                self.ending(compiled, self.set, &|ends| ends.violate(property))
            }
            Property::Deadlock => self.deadlocks(compiled),
            Property::Reach(_) => self.situations(compiled, bit),
            _ => unreachable!("bug in Queueproof: {property:?} is not watched"),
        }
    }

    fn situations(&mut self, compiled: &mut Compiled, bit: usize) -> Result<Set, Obstacle> {
        let mut found = self.diagrams.hold(Set::EMPTY);
        let cases: Vec<u128> = compiled.tables().watch.cases(bit).collect();
        for case in cases {
            if compiled.tables().nobody.all & case == 0 {
                continue;
            }
            let some = self.all_marked(compiled, self.set, case)?;
            self.join(&mut found, some)?;
        }
        self.diagrams.release(found);
        Ok(found)
    }

    /// The configurations of a set all of whose parts have a mark.
    fn all_marked(
        &mut self,
        compiled: &mut Compiled,
        within: Set,
        mark: u128,
    ) -> Result<Set, Obstacle> {
        let mut filter = Filter::new(self.levels.len());
        for part in 0..self.levels.len() as u32 {
            let table = self.table(compiled, part, |compiled, value| {
                marks(compiled, part, value).all & mark != 0
            });
            filter.and(self.levels.level(part), table);
        }
        self.restricted(within, &filter)
    }

    /// No step, no end, and somebody who may not rest.
    fn deadlocks(&mut self, compiled: &mut Compiled) -> Result<Set, Obstacle> {
        let groups = self.relations.groups.values().to_vec();
        let mut filter = Filter::new(self.levels.len());
        for (number, group) in groups.iter().enumerate().filter(|(_, group)| group.is_free()) {
            let weights = &self.relations.weights[number];
            let rests = |_: &mut Compiled, value: u32| {
                weights.get(value as usize).is_none_or(|&weight| weight == 0)
            };
            let table = self.table(compiled, group.part, rests);
            filter.and(self.levels.level(group.part), table);
        }
        let rest = self.restricted(self.set, &filter)?;
        let mut rest = self.diagrams.hold(rest);
        for group in groups.iter().filter(|group| !group.is_free()) {
            let filter = self.filter(compiled, group, Room::Either);
            let some = self.restricted(rest, &filter)?;
            self.subtract(&mut rest, some)?;
        }
        let ending = self.ending(compiled, rest, &Ends::any)?;
        self.subtract(&mut rest, ending)?;
        let resting = self.all_marked(compiled, rest, RESTS)?;
        self.subtract(&mut rest, resting)?;
        self.diagrams.release(rest);
        Ok(rest)
    }
}

/// What a value of a part that was met says.
pub(super) fn marks(compiled: &Compiled, part: u32, value: u32) -> Marks {
    let part = &compiled.tables().parts[part as usize];
    *part.compiled(value).expect("values in sets were met").1
}
