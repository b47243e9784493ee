//! Fast expansion of any system, by what its steps read.
//!
//! What a machine can do depends on what the program looks at while it is asked, and on nothing else. So the
//! looks are remembered as a tree, with the differences at its leaves: the program is asked once for each
//! way down, and going down is a few look-ups ever after.
//!
//! Threads only read the trees. A batch that goes a new way is expanded again after the program was
//! asked, in the order of the places: so numbers do not depend on threads.

mod ledger;
mod pieces;
mod record;
mod slots;
pub(super) mod symbolic;
#[cfg(test)]
mod tests;
mod woods;

use qp_machines::{Config, QueueId, System, WordId};

use self::ledger::Ledger;
use self::slots::{ABSENT, LOOKS, N_QUEUES, Slot, Slots};
use self::woods::Woods;
use super::marks::Watch;
use super::space::{Keys, Output, Subject, Window};
use super::threads::side_by_side;
use super::{Halt, Search};

pub(crate) struct Turns {
    system: System,
    slots: Slots,
    woods: Woods,
    /// Who may go first, if some orders of steps are left out.
    ledger: Option<Ledger>,
}

impl Turns {
    pub(crate) fn new(mut system: System, watch: Watch) -> Self {
        let initial = system.initial();
        let n_cells = system.n_cells();
        let mut slots = Slots::new(watch, n_cells);
        slots.values(&mut system, &initial);
        Self { system, slots, woods: Woods::default(), ledger: None }
    }

    /// Notes from now on which machines may go first.
    pub(crate) fn reduce(&mut self) {
        self.ledger = Some(Ledger::default());
    }

    /// Whether a machine went first that should not have.
    pub(crate) fn must_begin_again(&self) -> bool {
        self.ledger.as_ref().is_some_and(Ledger::is_wrong)
    }

    /// Forgets who may go first, and remembers why not.
    pub(crate) fn begin_again(&mut self) {
        self.woods = Woods::default();
        self.ledger.iter_mut().for_each(Ledger::begin_again);
    }

    pub(crate) fn system(&mut self) -> &mut System {
        &mut self.system
    }

    pub(crate) fn watch(&mut self, watch: Watch) {
        self.slots.watch_for(&mut self.system, watch);
    }

    pub(crate) fn counts(&self) -> Vec<usize> {
        self.slots.counts()
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.slots.bytes() + self.woods.bytes()
    }

    pub(crate) fn n_machines_queues(&self) -> (usize, usize) {
        self.slots.n_machines_queues()
    }

    pub(crate) fn values(&mut self, config: &Config) -> Vec<u32> {
        self.slots.values(&mut self.system, config)
    }

    pub(crate) fn config(&mut self, values: &[u32]) -> Config {
        self.slots.config(&mut self.system, values)
    }

    pub(crate) fn part(&self, part: usize, value: u32) -> (u64, Vec<WordId>) {
        let raw @ (first, second) = self.slots.raw(part, value);
        match self.slots.slot(part) {
            Slot::Queue(_) if raw != ABSENT => (u64::from(second), vec![WordId::from_raw(first)]),
            _ => (u64::from(first) << 32 | u64::from(second), Vec::new()),
        }
    }

    pub(crate) fn queues(&self, part: usize) -> Vec<QueueId> {
        match self.slots.slot(part) {
            Slot::Queue(queue) => vec![queue],
            Slot::Holder | Slot::Cell(_) | Slot::Machine(_) => Vec::new(),
        }
    }

    /// How many queues there are in the configuration with these parts.
    pub(crate) fn n_queues(&self, values: &[u32]) -> usize {
        self.looks(values)[N_QUEUES] as usize
    }

    /// Raises `longest` to the greatest length of each queue in any visited configuration.
    pub(crate) fn longest<const W: usize>(&self, search: &Search<W>, longest: &mut [u32]) {
        let mut values = Vec::new();
        for key in search.visited.keys() {
            search.packing.unpack(key, &mut values);
            for (queue, longest) in longest.iter_mut().enumerate() {
                let part = self.slots.queue(queue);
                let value = values.get(part).copied().unwrap_or(0);
                *longest = (*longest).max(self.slots.len(part, value));
            }
        }
    }

    pub(crate) fn subjects(&self, values: &[u32], found: &mut Vec<Subject>) {
        self.woods.subjects(&self.slots, &self.looks(values), found);
    }

    pub(crate) fn expand<const W: usize>(
        &mut self,
        keys: &Keys<'_, W>,
        places: &[u32],
        window: Window,
        jobs: usize,
        output: &mut Output<W>,
    ) -> Result<(), Halt> {
        loop {
            let (slots, woods) = (&self.slots, &self.woods);
            let part = |places: &[u32], output: &mut Output<W>| {
                woods.expand(slots, keys, places, window, output)
            };
            let missing = side_by_side(places, jobs, output, part);
            if missing.is_empty() {
                return Ok(());
            }
            for place in missing {
                let mut values = Vec::new();
                keys.packing.unpack(&keys.all[place as usize], &mut values);
                self.system.budget().ask()?;
                self.learn(&values);
                // What comes later depends on how many configurations are expanded at once.
                if self.must_begin_again() {
                    return Ok(());
                }
            }
            if !keys.packing.fits(&self.counts()) {
                return Err(Halt::TooNarrow);
            }
            output.clear();
        }
    }

    /// Asks the program everything that has to be known to expand the configuration with these parts.
    fn learn(&mut self, values: &[u32]) {
        loop {
            let looks = self.looks(values);
            let missing = self.woods.missing(&self.slots, &looks);
            if missing.is_empty() {
                return;
            }
            for who in missing {
                let learnt = (&mut self.woods, self.ledger.as_mut());
                record::ask(&mut self.system, &mut self.slots, learnt, &looks, who);
                if self.must_begin_again() {
                    return;
                }
            }
        }
    }

    /// Everything that a program can look at in the configuration with these parts.
    fn looks(&self, values: &[u32]) -> Vec<u32> {
        let mut looks = vec![0; LOOKS];
        looks.extend_from_slice(values);
        self.slots.complete(&mut looks);
        looks
    }
}
