//! What can still happen: machines that can never move again, messages that are never received.
//!
//! Where something can still happen is found backwards, from where it can happen at once. A configuration in
//! which a send was cut, or in which the interpreter does not know on, may do anything.

use qp_base::Budget;
use qp_diagrams::Set;

use super::super::compiled::Compiled;
use super::super::marks::{Ends, RESTS};
use super::judge::{Filter, Room, marks};
use super::{Obstacle, Symbolic, obstacle};

/// The configurations from which something never happens again; both are held.
pub(crate) struct Eventual {
    /// Some machine that may not rest can never move again.
    pub(crate) stuck: Set,
    /// Some queued message can never be received.
    pub(crate) orphan: Set,
    /// Whether messages are taken from behind others.
    pub(crate) skips: bool,
}

impl Symbolic {
    /// Looks at the whole set, for stuck machines and for orphaned messages as far as wanted.
    pub(crate) fn eventual(
        &mut self,
        compiled: &mut Compiled,
        budget: &Budget,
        (stuck, orphan): (bool, bool),
    ) -> Result<Eventual, Obstacle> {
        let anything = self.anything(compiled)?;
        let anything = self.diagrams.hold(anything);
        let nothing = self.diagrams.hold(Set::EMPTY);
        let mut found = Eventual { stuck: nothing, orphan: nothing, skips: false };
        self.diagrams.hold(nothing);
        for part in (0..self.levels.len() as u32).filter(|_| stuck) {
            let restless = self.table(compiled, part, |compiled, value| {
                marks(compiled, part, value).all & RESTS == 0
            });
            if restless.contains(&true) {
                let moving = self.moving(compiled, part)?;
                let never = self.never(compiled, budget, (moving, anything), part, restless)?;
                self.join(&mut found.stuck, never)?;
            }
        }
        for queue in (0..compiled.tables().queues.len()).filter(|_| orphan) {
            let part = compiled.tables().queues[queue].part;
            let filled = self.table(compiled, part, |compiled, value| {
                compiled.tables().queues[queue].lens[value as usize] > 0
            });
            if filled.contains(&true) {
                let taking = self.taking(compiled, queue)?;
                let never = self.never(compiled, budget, (taking, anything), part, filled)?;
                self.join(&mut found.orphan, never)?;
            }
        }
        found.skips = self.skips(compiled, anything)?;
        self.diagrams.release(anything);
        Ok(found)
    }

    /// Where anything may happen next.
    fn anything(&mut self, compiled: &mut Compiled) -> Result<Set, Obstacle> {
        let gave_up = self.ending(compiled, self.set, &|ends| ends.has(Ends::GAVE_UP))?;
        let mut anything = self.diagrams.hold(gave_up);
        for queue in 0..compiled.tables().queues.len() {
            let cut = self.cut(compiled, queue)?;
            self.join(&mut anything, cut)?;
        }
        self.diagrams.release(anything);
        Ok(anything)
    }

    /// Where the machine of a part can do something at once.
    fn moving(&mut self, compiled: &mut Compiled, part: u32) -> Result<Set, Obstacle> {
        let table =
            self.table(compiled, part, |compiled, value| marks(compiled, part, value).ends.any());
        let mut filter = Filter::new(self.levels.len());
        filter.and(self.levels.level(part), table);
        let ending = self.restricted(self.set, &filter)?;
        let mut moving = self.diagrams.hold(ending);
        for group in self.relations.groups.values().to_vec() {
            if group.part == part {
                let filter = self.filter(compiled, &group, Room::Either);
                let some = self.restricted(self.set, &filter)?;
                self.join(&mut moving, some)?;
            }
        }
        for (number, group) in self.relations.end_groups.values().to_vec().into_iter().enumerate() {
            if group.part != part {
                continue;
            }
            if let Some(filter) = self.end_filter(compiled, number, &group, &Ends::any) {
                let some = self.restricted(self.set, &filter)?;
                self.join(&mut moving, some)?;
            }
        }
        self.diagrams.release(moving);
        Ok(moving)
    }

    /// Where a message can be taken from a queue at once.
    fn taking(&mut self, compiled: &mut Compiled, queue: usize) -> Result<Set, Obstacle> {
        let mut taking = self.diagrams.hold(Set::EMPTY);
        for (number, group) in self.relations.take_groups.values().to_vec().into_iter().enumerate()
        {
            if group.queue as usize == queue {
                let some = self.taken(compiled, number)?;
                self.join(&mut taking, some)?;
            }
        }
        self.diagrams.release(taking);
        Ok(taking)
    }

    fn taken(&mut self, compiled: &mut Compiled, number: usize) -> Result<Set, Obstacle> {
        let group = *self.relations.take_groups.value(number);
        let mut filter = Filter::new(self.levels.len());
        filter.and(self.levels.level(group.part), self.relations.taking[number].clone());
        self.ask(compiled, &mut filter, group.gate, group.announces);
        self.restricted(self.set, &filter)
    }

    /// Whether a message is taken from behind others where not anything may happen.
    fn skips(&mut self, compiled: &mut Compiled, anything: Set) -> Result<bool, Obstacle> {
        for number in 0..self.relations.take_groups.len() {
            if self.relations.take_groups.value(number).skips {
                let some = self.taken(compiled, number)?;
                let known = self.diagrams.is_subset(some, anything);
                if !known.map_err(|abort| obstacle(abort, None))? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Where something that happens at once in `now`, or may where anything may, can never happen again although
    /// the part has one of these values.
    fn never(
        &mut self,
        compiled: &mut Compiled,
        budget: &Budget,
        (now, anything): (Set, Set),
        part: u32,
        accused: Vec<bool>,
    ) -> Result<Set, Obstacle> {
        let mut possible = self.diagrams.hold(now);
        self.join(&mut possible, anything)?;
        let mut left = self.diagrams.hold(self.set);
        self.subtract(&mut left, possible)?;
        loop {
            // Sets that are not held may get the number of others, so they are not compared.
            let mut more = false;
            for event in self.events.ids() {
                let (within, target) = (left, possible);
                let (mut course, events, diagrams) = self.course(compiled, budget);
                let some = diagrams.pre_image(within, target, event, events, &mut course);
                let exhausted = course.exhausted;
                let some = some.map_err(|abort| obstacle(abort, exhausted))?;
                if !some.is_empty() {
                    more = true;
                    let some = self.diagrams.hold(some);
                    self.join(&mut possible, some)?;
                    self.subtract(&mut left, some)?;
                    self.diagrams.release(some);
                }
            }
            if !more {
                break;
            }
        }
        let mut filter = Filter::new(self.levels.len());
        filter.and(self.levels.level(part), accused);
        let never = self.restricted(left, &filter)?;
        self.diagrams.release(possible);
        self.diagrams.release(left);
        Ok(never)
    }
}
