//! Where steps of compiled rows can be taken: groups of steps that are possible together, as conditions on parts.

use super::super::super::compiled::Compiled;
use super::super::super::marks::Ends;
use super::super::super::parts::{FAILS, NONE, SKIPPED};
use super::super::filter::Filter;
use super::super::source::{Case, Kind};
use super::super::store::Store;
use super::events::{is_open, observed};
use super::{Rows, marks};

/// Steps of a part that are possible together, wherever the part allows them: those that differ in
/// nothing but what comes of them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Group {
    pub(super) part: u32,
    /// The queue that is sent to, or [`NONE`].
    pub(super) room: u32,
    /// The queue that is taken from, as in compiled steps, or [`NONE`].
    pub(super) takes: u32,
    pub(super) gate: Option<(u32, u32)>,
    pub(super) announces: Option<u32>,
    /// How many machines there must be.
    pub(super) n_machines: Option<u32>,
    /// For steps that lead nowhere: why.
    pub(super) end: Option<End>,
}

/// Why steps lead nowhere.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum End {
    /// They come to this, if those who watch do not fail.
    Comes(Ends),
    /// Those who watch fail.
    Watchers,
}

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

impl Group {
    /// Steps of a part that ask nothing of others and lead somewhere.
    pub(super) fn new(part: u32) -> Self {
        let (gate, announces, n_machines, end) = (None, None, None, None);
        Self { part, room: NONE, takes: NONE, gate, announces, n_machines, end }
    }

    /// Whether steps are of a kind, and what is asked of the queue that they send to then.
    fn wanted(&self, kind: Kind) -> Option<Room> {
        let is_meant = |part: Option<usize>| part.is_none_or(|part| part == self.part as usize);
        let takes = |queue: usize| self.takes != NONE && (self.takes & !SKIPPED) as usize == queue;
        let leads = self.end.is_none();
        let wanted = match kind {
            Kind::Steps => return leads.then_some(Room::Fits),
            Kind::Cut(queue) => return (self.room as usize == queue).then_some(Room::Cut),
            Kind::Open if leads => return (self.room != NONE).then_some(Room::Cut),
            Kind::Ends(_) | Kind::Open => !leads,
            Kind::Acts(part) => is_meant(part),
            Kind::Takes(queue) => takes(queue),
            Kind::Skips => self.takes != NONE && self.takes & SKIPPED != 0,
        };
        wanted.then_some(Room::Either)
    }
}

/// Somebody who asks where steps can be taken.
pub(super) struct Asker<'a> {
    pub(super) rows: &'a Rows,
    pub(super) store: &'a Store,
    pub(super) compiled: &'a mut Compiled,
}

impl Asker<'_> {
    /// Where somebody does something of a kind.
    pub(super) fn cases(&mut self, kind: Kind) -> Vec<Case> {
        let mut filters = Vec::new();
        let parts = match kind {
            Kind::Acts(Some(part)) => part..part + 1,
            _ => 0..self.store.levels.len(),
        };
        for part in parts.filter(|_| kind.ends() != Ends::NONE) {
            let ends =
                |compiled: &mut Compiled, value| marks(compiled, part, value).ends.has(kind.ends());
            let table = self.rows.met(self.compiled, part as u32, ends);
            if table.contains(&1) {
                let mut filter = self.store.filter();
                filter.and(self.store.levels.level(part as u32), table);
                filters.push(filter);
            }
        }
        for (number, group) in self.rows.groups.values().iter().enumerate() {
            let Some(room) = group.wanted(kind) else { continue };
            if !matches!(group.end, Some(End::Comes(ends)) if !ends.has(kind.ends())) {
                filters.push(self.filter((number, group), room, kind.ends()));
            }
        }
        filters.into_iter().map(|filter| Case { filter, timeout: None }).collect()
    }

    /// Where steps of a group can be taken, or are cut, or come to one of these ends.
    fn filter(&mut self, (number, group): (usize, &Group), room: Room, ends: Ends) -> Filter {
        let mut filter = self.store.filter();
        let mut own = self.rows.weights[number].clone();
        own.resize(self.compiled.tables().parts[group.part as usize].values.len(), 0);
        filter.and(self.store.levels.level(group.part), own);
        self.ask(&mut filter, group, room);
        if group.end == Some(End::Watchers) {
            let letter = group.announces.expect("only who announces is watched");
            self.ask_watchers(&mut filter, |compiled, value| {
                let after = observed(compiled, letter, value);
                let watchers = compiled.tables().watchers.as_ref();
                let failures = &watchers.expect("they were asked").failures;
                after >= FAILS && failures[(after & !FAILS) as usize].has(ends)
            });
        }
        filter
    }

    /// Only where others allow the steps of a group.
    pub(super) fn ask(&mut self, filter: &mut Filter, group: &Group, room: Room) {
        if let Some(gate) = group.gate {
            let part = self.compiled.tables().queues[gate.0 as usize].part;
            self.ask_part(filter, part, |compiled, value| {
                let exists = !compiled.tables().parts[part as usize].is_absent(value);
                exists && is_open(compiled, gate, value)
            });
        }
        if let Some(letter) = group.announces.filter(|_| group.end != Some(End::Watchers)) {
            self.ask_watchers(filter, |compiled, value| observed(compiled, letter, value) < FAILS);
        }
        if group.room != NONE {
            let (queue, bound) = (group.room as usize, self.store.bound);
            let part = self.compiled.tables().queues[queue].part;
            self.ask_part(filter, part, |compiled, value| {
                let (tables, queue) = (compiled.tables(), &compiled.tables().queues[queue]);
                let len = queue.lens[value as usize];
                let exists = !tables.parts[part as usize].is_absent(value);
                let fits = match room {
                    Room::Fits => len < bound,
                    Room::Cut => len >= bound,
                    Room::Either => true,
                };
                exists && fits && len < queue.capacity
            });
        }
        if let Some(n_machines) = group.n_machines {
            self.ask_number(filter, n_machines as usize);
        }
    }

    /// Only where so many machines exist.
    fn ask_number(&mut self, filter: &mut Filter, n_machines: usize) {
        for (number, exists) in [(n_machines, false), (n_machines - 1, true)] {
            let tables = self.compiled.tables();
            let part = tables.part_of.get(number).filter(|_| number >= tables.n_initial);
            if let Some(&part) = part {
                self.ask_part(filter, part, |compiled, value| {
                    compiled.tables().parts[part as usize].is_absent(value) != exists
                });
            }
        }
    }

    fn ask_watchers(&mut self, filter: &mut Filter, holds: impl FnMut(&mut Compiled, u32) -> bool) {
        let watchers = self.compiled.tables().watchers.as_ref();
        let part = watchers.expect("who announces is watched").part;
        self.ask_part(filter, part, holds);
    }

    /// Only where something is so about a part.
    fn ask_part(
        &mut self,
        filter: &mut Filter,
        part: u32,
        holds: impl FnMut(&mut Compiled, u32) -> bool,
    ) {
        filter.and(self.store.levels.level(part), self.rows.met(self.compiled, part, holds));
    }
}
