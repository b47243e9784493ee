//! What is to be said about a set: turns between its configurations, cut sends, and what violates something.

use num_bigint::BigUint;
use qp_diagrams::Set;
use qp_machines::Property;

use super::super::super::marks::{Ends, RESTS};
use super::super::super::symbolic::Obstacle;
use super::super::Turns;
use super::super::woods::Way;
use super::TurnSet;
use super::sieve::Holders;

impl TurnSet {
    /// How many turns there are between the configurations.
    pub(crate) fn transitions(&mut self, turns: &Turns) -> Result<BigUint, Obstacle> {
        let bound = self.bound;
        let cases = self.cases(turns, |way| {
            let n = way.jumps().filter(|&(grown, _)| grown <= bound).count() as u64;
            (n > 0).then_some((way.timeout, way.machine, n))
        });
        let (mut sum, mut from) = (BigUint::ZERO, None);
        for ((timeout, machine, n), product) in cases {
            let mut sieve = if timeout { self.sieve() } else { self.sieve_for(turns, machine) };
            self.narrow(turns, &product, &mut sieve);
            let within = match (timeout, from) {
                (false, _) => self.set,
                (true, Some((known, within))) if known == machine => within,
                (true, _) => self.may_time_out(turns, machine)?,
            };
            from = timeout.then_some((machine, within));
            let weight = |level: usize, value: u32| u64::from(sieve.holds(level, value));
            sum += self.diagrams.weigh(within, weight) * n;
        }
        Ok(sum)
    }

    /// The configurations in which somebody comes to a leaf of a kind.
    pub(super) fn somebody(
        &mut self,
        turns: &Turns,
        wanted: impl Fn(&Way<'_>) -> bool,
    ) -> Result<Set, Obstacle> {
        let cases = self.cases(turns, |way| wanted(way).then_some((way.timeout, way.machine)));
        let mut found = self.diagrams.hold(Set::EMPTY);
        for ((timeout, machine), product) in cases {
            let (within, mut sieve) = if timeout {
                (self.may_time_out(turns, machine)?, self.sieve())
            } else {
                (self.set, self.sieve_for(turns, machine))
            };
            self.narrow(turns, &product, &mut sieve);
            let some = self.restricted(within, &sieve)?;
            let some = self.originals(some)?;
            self.join(&mut found, some)?;
        }
        self.diagrams.release(found);
        Ok(found)
    }

    /// The configurations in which a send to a queue is cut.
    pub(crate) fn cut(&mut self, turns: &Turns, queue: usize) -> Result<Set, Obstacle> {
        let bound = self.bound;
        self.somebody(turns, |way| {
            let mut growths = way.jumps().flat_map(|(_, jump)| way.growths(jump));
            growths.any(|&(grown, len)| grown as usize == queue && len > bound)
        })
    }

    /// The queues to which sends are cut.
    pub(crate) fn stalled(&mut self, turns: &Turns) -> Result<Vec<usize>, Obstacle> {
        let mut stalled = Vec::new();
        for queue in 0..turns.slots.n_machines_queues().1 {
            if !self.cut(turns, queue)?.is_empty() {
                stalled.push(queue);
            }
        }
        Ok(stalled)
    }

    /// A configuration in which the interpreter gave up.
    pub(crate) fn gave_up(&mut self, turns: &Turns) -> Result<Option<Vec<u32>>, Obstacle> {
        let set = self.somebody(turns, |way| way.ends().has(Ends::GAVE_UP))?;
        Ok(self.diagrams.first(set).map(|tuple| self.levels.by_part(&tuple)))
    }

    /// The configurations that violate the watched property with this bit.
    pub(crate) fn wrong(&mut self, turns: &Turns, bit: usize) -> Result<Set, Obstacle> {
        let property = turns.slots.watch().properties()[bit];
        match property {
            Property::Assert | Property::Divergence | Property::Unhandled => {
                self.somebody(turns, |way| way.ends().violate(property))
            }
            Property::Deadlock => self.deadlocks(turns),
            Property::Reach(_) => self.situations(turns, bit),
            _ => unreachable!("bug in Queueproof: {property:?} is not watched"),
        }
    }

    /// Nobody can do anything, with a timeout or without, and somebody may not rest.
    fn deadlocks(&mut self, turns: &Turns) -> Result<Set, Obstacle> {
        let mut rest = self.diagrams.hold(self.still);
        for product in self.conditions(turns, |way| way.timeout && way.any()) {
            let mut sieve = self.sieve();
            self.narrow(turns, &product, &mut sieve);
            let able = self.restricted(rest, &sieve)?;
            self.subtract(&mut rest, able)?;
        }
        let resting = self.all_marked(turns, rest, RESTS)?;
        self.subtract(&mut rest, resting)?;
        self.diagrams.release(rest);
        Ok(rest)
    }

    fn situations(&mut self, turns: &Turns, bit: usize) -> Result<Set, Obstacle> {
        let real = self.without_twins(self.set)?;
        let real = self.diagrams.hold(real);
        let mut found = self.diagrams.hold(Set::EMPTY);
        let cases: Vec<u128> = turns.slots.watch().cases(bit).collect();
        for case in cases {
            if turns.slots.nobody().all & case != 0 {
                let some = self.all_marked(turns, real, case)?;
                self.join(&mut found, some)?;
            }
        }
        self.diagrams.release(found);
        self.diagrams.release(real);
        Ok(found)
    }

    /// The configurations of a set all of whose parts have a mark.
    fn all_marked(&mut self, turns: &Turns, within: Set, mark: u128) -> Result<Set, Obstacle> {
        let mut sieve = self.sieve();
        for part in 0..self.levels.len() {
            let marked = |value| turns.slots.marks_of(part, value).all & mark != 0;
            let table: Vec<bool> = (0..turns.slots.n_values(part) as u32).map(marked).collect();
            if table.contains(&false) {
                sieve.and(self.levels.level(part as u32), table);
            }
        }
        self.restricted(within, &sieve)
    }

    /// The configurations in which a queue holds more than this many messages.
    pub(crate) fn longer(
        &mut self,
        turns: &Turns,
        queue: usize,
        bound: u32,
    ) -> Result<Set, Obstacle> {
        self.with_value(turns, queue, |part, value| turns.slots.len(part, value) > bound)
    }

    /// The configurations in which a queue exists.
    pub(crate) fn with_queue(&mut self, turns: &Turns, queue: usize) -> Result<Set, Obstacle> {
        self.with_value(turns, queue, |part, value| value != turns.slots.absent(part))
    }

    fn with_value(
        &mut self,
        turns: &Turns,
        queue: usize,
        wanted: impl Fn(usize, u32) -> bool,
    ) -> Result<Set, Obstacle> {
        if queue >= turns.slots.n_machines_queues().1 {
            return Ok(Set::EMPTY);
        }
        let part = turns.slots.queue(queue);
        let values = 0..turns.slots.n_values(part) as u32;
        let mut sieve = self.sieve().only(Holders::Real);
        let table = values.map(|value| wanted(part, value)).collect();
        sieve.and(self.levels.level(part as u32), table);
        self.restricted(self.set, &sieve)
    }

    /// Raises `longest` to the greatest length of each queue in any configuration.
    pub(crate) fn longest(&self, turns: &Turns, longest: &mut [u32]) {
        let values = self.diagrams.values(self.set);
        for (queue, longest) in longest.iter_mut().enumerate() {
            let part = turns.slots.queue(queue);
            let met = values.get(self.levels.level(part as u32));
            for &value in met.into_iter().flatten() {
                *longest = (*longest).max(turns.slots.len(part, value));
            }
        }
    }
}
