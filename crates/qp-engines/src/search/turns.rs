//! Fast expansion of any system, by what its steps read.
//!
//! What a machine can do depends on what the program looks at while it is asked, and on nothing else. So the
//! looks are remembered as a tree, with the differences at its leaves: the program is asked once for each
//! way down, and going down is a few look-ups ever after.
//!
//! Threads only read the trees. A batch that goes a new way is expanded again after the program was
//! asked, in the order of the places: so numbers do not depend on threads.

mod first;
mod outlook;
mod pieces;
mod record;
pub(super) mod relations;
mod slots;
#[cfg(test)]
mod tests;
mod woods;

use qp_base::Map;
use qp_machines::{Config, QueueId, System, WordId};

use self::first::{Chosen, Firsts, Mover};
use self::slots::{ABSENT, LOOKS, N_QUEUES, NONE, Slot, Slots};
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
    firsts: Option<Firsts>,
}

impl Turns {
    pub(crate) fn new(mut system: System, watch: Watch) -> Self {
        let initial = system.initial();
        let n_cells = system.n_cells();
        let mut slots = Slots::new(watch, n_cells);
        slots.values(&mut system, &initial);
        Self { system, slots, woods: Woods::default(), firsts: None }
    }

    /// Notes from now on which machines may go first.
    pub(crate) fn reduce(&mut self) {
        self.firsts = Some(Firsts::new(&mut self.system));
    }

    /// Whether a machine went first that should not have.
    pub(crate) fn must_begin_again(&self) -> bool {
        self.firsts.as_ref().is_some_and(Firsts::is_wrong)
    }

    /// Forgets who may go first, and remembers why not.
    pub(crate) fn begin_again(&mut self) {
        self.woods = Woods::default();
        self.firsts.iter_mut().for_each(Firsts::begin_again);
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
        self.slots.bytes() + self.woods.bytes() + self.firsts.as_ref().map_or(0, Firsts::bytes)
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
        let mut sets = Map::default();
        if self.firsts.is_some() && window.from == 0 {
            self.choose(keys, places, window.bound, &mut sets)?;
            if self.must_begin_again() {
                return Ok(());
            }
        }
        loop {
            let (slots, woods) = (&self.slots, &self.woods);
            let chosen = self.firsts.as_ref().map(|firsts| Chosen { firsts, sets: &sets });
            let part = |places: &[u32], output: &mut Output<W>| {
                woods.expand(slots, keys, places, (window, chosen), output)
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
            }
            if !keys.packing.fits(&self.counts()) {
                return Err(Halt::TooNarrow);
            }
            output.clear();
        }
    }

    /// Finds out which machines go first in configurations, one after the other: so it does not depend on threads.
    fn choose<const W: usize>(
        &mut self,
        keys: &Keys<'_, W>,
        places: &[u32],
        bound: u32,
        sets: &mut Map<u32, u32>,
    ) -> Result<(), Halt> {
        let mut values = Vec::new();
        for &place in places {
            if let Some(&known) = keys.firsts.and_then(|firsts| firsts.get(place as usize)) {
                if known != NONE {
                    sets.insert(place, known);
                }
                continue;
            }
            keys.packing.unpack(&keys.all[place as usize], &mut values);
            self.system.budget().ask()?;
            self.learn(&values);
            if self.must_begin_again() {
                return Ok(());
            }
            let looks = self.looks(&values);
            if self.slots.holds(&looks).is_some() {
                continue;
            }
            let movers = self.woods.movers(&self.slots, &looks, (false, bound));
            let Some(firsts) = &mut self.firsts else { continue };
            let chosen = firsts.choose(&mut self.system, &self.slots, &looks, &movers);
            if let Some(set) = chosen {
                sets.insert(place, set);
            }
        }
        if keys.packing.fits(&self.counts()) { Ok(()) } else { Err(Halt::TooNarrow) }
    }

    /// The machines of a set that goes first somewhere.
    pub(crate) fn set(&self, set: u32) -> &[u32] {
        self.firsts.as_ref().map_or(&[], |firsts| firsts.set(set))
    }

    /// Which machines can move in a configuration that was expanded, also if that is cut.
    pub(crate) fn can_move(&self, values: &[u32], bound: u32) -> Vec<u32> {
        let looks = self.looks(values);
        // Where somebody goes on alone, or waits for a timeout, all steps are followed.
        if self.slots.holds(&looks).is_some() {
            return Vec::new();
        }
        let movers = self.woods.movers(&self.slots, &looks, (false, bound));
        let can = |(machine, mover): (u32, Mover)| mover.can.then_some(machine);
        (0..).zip(movers).filter_map(can).collect()
    }

    /// The number of a set that goes first in a configuration, with one more machine; nothing if that is all.
    pub(crate) fn with(
        &mut self,
        values: &[u32],
        bound: u32,
        (set, machine): (u32, u32),
    ) -> Option<u32> {
        let looks = self.looks(values);
        let movers = self.woods.movers(&self.slots, &looks, (false, bound));
        let here = (&mut self.system, &self.slots, &looks[..]);
        self.firsts.as_mut()?.with(here, &movers, set, machine as usize)
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
                let learnt = (&mut self.woods, self.firsts.as_mut());
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
