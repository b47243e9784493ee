//! What can still happen: machines that can never move again, messages that are never received.
//!
//! Where something can still happen is found backwards, from where it can happen at once. A configuration in
//! which a send was cut, or in which the interpreter does not know on, may do anything.

use qp_base::Budget;
use qp_diagrams::Set;
use qp_machines::{LocalId, MachineId, QueueId};

use super::super::super::marks::Ends;
use super::super::super::space::Subject;
use super::super::super::symbolic::eventual::Eventual;
use super::super::super::symbolic::{Obstacle, obstacle};
use super::super::Turns;
use super::super::slots::ABSENT;
use super::super::woods::Way;
use super::TurnSet;

impl TurnSet {
    /// Looks at the whole set, for stuck machines and for orphaned messages as far as wanted.
    pub(crate) fn eventual(
        &mut self,
        turns: &Turns,
        budget: &Budget,
        (stuck, orphan): (bool, bool),
    ) -> Result<Eventual, Obstacle> {
        let bound = self.bound;
        let anything = self.somebody(turns, |way| {
            way.ends().has(Ends::GAVE_UP) || way.jumps().any(|(grown, _)| grown > bound)
        })?;
        let anything = self.diagrams.hold(anything);
        let mut found = Eventual {
            stuck: self.diagrams.hold(Set::EMPTY),
            orphan: self.diagrams.hold(Set::EMPTY),
            skips: false,
        };
        let (n_machines, n_queues) = turns.slots.n_machines_queues();
        for machine in (0..n_machines).filter(|_| stuck).map(MachineId::new) {
            let part = turns.slots.machine(machine.index());
            let restless = |value: u32| {
                let raw = turns.slots.raw(part, value);
                let local = LocalId::from_raw(raw.0);
                raw != ABSENT && !turns.system.program().may_rest(machine, local)
            };
            let moves = |way: &Way<'_>| {
                let moved = Subject::Moves(machine);
                way.machine == machine.index() && way.any() || does(way, |it| it == moved)
            };
            let never = self.never(turns, budget, (anything, part), &restless, &moves)?;
            self.join(&mut found.stuck, never)?;
        }
        for queue in (0..n_queues).filter(|_| orphan) {
            let part = turns.slots.queue(queue);
            let filled = |value: u32| turns.slots.len(part, value) > 0;
            let queue = QueueId::new(queue);
            let takes = |way: &Way<'_>| {
                does(way, |it| it == Subject::Taken(queue) || it == Subject::Skipped(queue))
            };
            let never = self.never(turns, budget, (anything, part), &filled, &takes)?;
            self.join(&mut found.orphan, never)?;
        }
        found.skips = self.skips(turns, anything)?;
        self.diagrams.release(anything);
        Ok(found)
    }

    /// Whether a message is taken from behind others where not anything may happen.
    fn skips(&mut self, turns: &Turns, anything: Set) -> Result<bool, Obstacle> {
        let skips = |way: &Way<'_>| does(way, |it| matches!(it, Subject::Skipped(_)));
        let some = self.somebody(turns, skips)?;
        let known = self.diagrams.is_subset(some, anything);
        Ok(!known.map_err(|abort| obstacle(abort, None))?)
    }

    /// Where something that ways of a kind do, or that may happen where anything may, can never happen again
    /// although a part has one of these values.
    fn never(
        &mut self,
        turns: &Turns,
        budget: &Budget,
        (anything, part): (Set, usize),
        accused: &dyn Fn(u32) -> bool,
        does: &dyn Fn(&Way<'_>) -> bool,
    ) -> Result<Set, Obstacle> {
        let values = 0..turns.slots.n_values(part) as u32;
        let table: Vec<bool> = values.map(accused).collect();
        if !table.contains(&true) {
            return Ok(Set::EMPTY);
        }
        let now = self.somebody(turns, does)?;
        let mut possible = self.diagrams.hold(now);
        self.join(&mut possible, anything)?;
        loop {
            let before = self.before(turns, budget, possible, self.set)?;
            let mut all = self.diagrams.hold(possible);
            self.join(&mut all, before)?;
            let is_same = all == possible;
            self.diagrams.release(possible);
            possible = all;
            if is_same {
                break;
            }
        }
        let real = self.without_twins(self.set)?;
        let mut left = self.diagrams.hold(real);
        self.subtract(&mut left, possible)?;
        let mut sieve = self.sieve();
        sieve.and(self.levels.level(part as u32), table);
        let never = self.restricted(left, &sieve)?;
        self.diagrams.release(possible);
        self.diagrams.release(left);
        Ok(never)
    }
}

/// Whether somebody does something in one of the turns.
fn does(way: &Way<'_>, what: impl Fn(Subject) -> bool) -> bool {
    way.jumps().any(|(_, jump)| way.subjects(jump).iter().any(|&subject| what(subject)))
}
