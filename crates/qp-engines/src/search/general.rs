//! Expansion of any system, through the one step function.
//!
//! Slower than the plain way by an order of magnitude and on one thread: shared variables, guards,
//! rendezvous, atomic sequences and machines created at run time end up here. Every machine and every
//! queue is a part of its own, and so are the store and the holder; parts are added as machines and
//! queues are created.

mod pieces;

use qp_base::Interner;
use qp_machines::{
    Config, Event, KindId, LocalId, MachineId, Outcome, QueueId, StoreId, System, WordId,
};

use super::Halt;
use super::marks::{Ends, Watch};
use super::space::{Keys, Output, Subject, Window, pack};

pub(crate) struct General {
    system: System,
    watch: Watch,
    slots: Vec<Slot>,
    /// For each slot: its values. The first value of a slot that was added later means "absent".
    values: Vec<Interner<usize, (u32, u32)>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Slot {
    Store,
    Holder,
    Machine(usize),
    Queue(usize),
}

const ABSENT: (u32, u32) = (u32::MAX, u32::MAX);

impl General {
    pub(crate) fn new(system: System, watch: Watch, initial: &Config) -> Self {
        let mut general = Self { system, watch, slots: Vec::new(), values: Vec::new() };
        let mut slots = vec![Slot::Store, Slot::Holder];
        slots.extend((0..initial.locals.len()).map(Slot::Machine));
        slots.extend((0..initial.words.len()).map(Slot::Queue));
        for slot in slots {
            let mut values = Interner::new();
            values.intern(read(slot, initial));
            general.slots.push(slot);
            general.values.push(values);
        }
        general
    }

    pub(crate) fn system(&mut self) -> &mut System {
        &mut self.system
    }

    pub(crate) fn watch(&mut self, watch: Watch) {
        self.watch = watch;
    }

    pub(crate) fn counts(&self) -> Vec<usize> {
        self.values.iter().map(Interner::len).collect()
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.values.iter().map(|values| values.len() as u64 * 24).sum()
    }

    pub(crate) fn values(&mut self, config: &Config) -> Vec<u32> {
        self.add_slots(config);
        let slots = self.slots.iter().zip(&mut self.values);
        slots.map(|(&slot, values)| values.intern(read(slot, config)) as u32).collect()
    }

    /// What a value of a part is: the contents of its queues, and a number for everything else.
    pub(crate) fn part(&self, part: usize, value: u32) -> (u64, Vec<WordId>) {
        let value @ (first, second) = *self.values[part].value(value as usize);
        match self.slots[part] {
            Slot::Queue(_) if value != ABSENT => (u64::from(second), vec![WordId::from_raw(first)]),
            _ => (u64::from(first) << 32 | u64::from(second), Vec::new()),
        }
    }

    pub(crate) fn queues(&self, part: usize) -> Vec<QueueId> {
        match self.slots[part] {
            Slot::Queue(queue) => vec![QueueId::new(queue)],
            Slot::Store | Slot::Holder | Slot::Machine(_) => Vec::new(),
        }
    }

    pub(crate) fn config(&self, values: &[u32]) -> Config {
        let mut config = Config {
            locals: Vec::new(),
            words: Vec::new(),
            kinds: Vec::new(),
            store: StoreId::NONE,
            holder: None,
        };
        for ((slot, interned), &value) in self.slots.iter().zip(&self.values).zip(values) {
            let value @ (first, second) = *interned.value(value as usize);
            match slot {
                Slot::Store => config.store = StoreId::from_raw(first),
                Slot::Holder => {
                    config.holder = (value != ABSENT).then(|| MachineId::from_raw(first));
                }
                Slot::Machine(_) if value != ABSENT => config.locals.push(LocalId::from_raw(first)),
                Slot::Queue(_) if value != ABSENT => {
                    config.words.push(WordId::from_raw(first));
                    config.kinds.push(KindId::from_raw(second));
                }
                Slot::Machine(_) | Slot::Queue(_) => {}
            }
        }
        config
    }

    pub(crate) fn expand<const W: usize>(
        &mut self,
        keys: &Keys<'_, W>,
        places: &[u32],
        window: Window,
        output: &mut Output<W>,
    ) -> Result<(), Halt> {
        let mut values = Vec::new();
        for &place in places {
            self.system.budget().ask()?;
            keys.packing.unpack(&keys.all[place as usize], &mut values);
            let config = self.config(&values);
            let outcomes = self.system.successors(&config);
            let can_step = !outcomes.is_empty();
            let (mut cut, mut ends) = (false, Ends::NONE);
            for outcome in outcomes {
                match self.admit(&config, &outcome, window) {
                    Admit::Yes => {
                        let values = self.values(&outcome.config);
                        let key = pack(keys.packing, &self.counts(), &values)?;
                        output.candidates.push(key, place);
                    }
                    Admit::Cut(queues) => {
                        cut = true;
                        for queue in queues {
                            output.stall(queue.raw(), place);
                        }
                    }
                    Admit::Ends(end) => ends.join(end),
                    Admit::No => {}
                }
            }
            if cut {
                output.blocked.push(place);
            }
            if window.from == 0 {
                if ends.has(Ends::GAVE_UP) {
                    output.gave_up.push(place);
                }
                let hits = self.hits(&config, can_step, ends);
                if hits != 0 {
                    output.hits.push((place, hits));
                }
            }
        }
        Ok(())
    }

    pub(crate) fn subjects(&mut self, values: &[u32], found: &mut Vec<Subject>) {
        let config = self.config(values);
        for outcome in self.system.successors(&config) {
            for (machine, event) in outcome.happenings() {
                found.push(Subject::Moves(machine));
                found.extend(Subject::of(event));
            }
        }
        found.sort_unstable();
        found.dedup();
    }

    fn admit(&self, config: &Config, outcome: &Outcome, window: Window) -> Admit {
        if let Some(ends) = Ends::of(self.system.program(), outcome.event) {
            return Admit::Ends(ends);
        }
        if self.system.program().outline().whole {
            return self.admit_turn(config, &outcome.config, window);
        }
        match outcome.event {
            Event::Sent { queue, .. } => {
                let len = self.system.words().len(config.word(queue)) as u32;
                if len < window.from {
                    Admit::No
                } else if len >= window.bound {
                    Admit::Cut(vec![queue])
                } else {
                    Admit::Yes
                }
            }
            _ if window.from > 0 => Admit::No,
            _ => Admit::Yes,
        }
    }

    /// A turn may put messages into several queues: the one that gets longest counts.
    fn admit_turn(&self, before: &Config, after: &Config, window: Window) -> Admit {
        let len = |config: &Config, queue: QueueId| {
            config.words.get(queue.index()).map_or(0, |&word| self.system.words().len(word) as u32)
        };
        let grown = after.queues().filter(|&queue| len(after, queue) > len(before, queue));
        let grown: Vec<QueueId> = grown.collect();
        let longest = grown.iter().map(|&queue| len(after, queue)).max().unwrap_or(0);
        if longest > window.bound {
            let long = grown.into_iter().filter(|&queue| len(after, queue) > window.bound);
            Admit::Cut(long.collect())
        } else if longest > window.from || window.from == 0 {
            Admit::Yes
        } else {
            Admit::No
        }
    }

    fn hits(&mut self, config: &Config, can_step: bool, ends: Ends) -> u64 {
        let machines: Vec<MachineId> = config.machines().collect();
        let queues: Vec<QueueId> = config.queues().collect();
        let mut marks = self.watch.marks(&mut self.system, config, &machines, &queues);
        marks.ends = ends;
        self.watch.without_absent(&mut marks, config);
        self.watch.hits(&marks, can_step)
    }

    /// The greatest numbers of machines and queues that any configuration has had.
    pub(crate) fn n_machines_queues(&self) -> (usize, usize) {
        let n_machines = self.slots.iter().filter(|s| matches!(s, Slot::Machine(_))).count();
        let n_queues = self.slots.iter().filter(|s| matches!(s, Slot::Queue(_))).count();
        (n_machines, n_queues)
    }

    fn add_slots(&mut self, config: &Config) {
        let (n_machines, n_queues) = self.n_machines_queues();
        let machines = (n_machines..config.locals.len()).map(Slot::Machine);
        let queues = (n_queues..config.words.len()).map(Slot::Queue);
        for slot in machines.chain(queues).collect::<Vec<_>>() {
            let mut values = Interner::new();
            values.intern(ABSENT);
            self.slots.push(slot);
            self.values.push(values);
        }
    }
}

enum Admit {
    Yes,
    No,
    Cut(Vec<QueueId>),
    Ends(Ends),
}

fn read(slot: Slot, config: &Config) -> (u32, u32) {
    match slot {
        Slot::Store => (config.store.raw(), 0),
        Slot::Holder => config.holder.map_or(ABSENT, |holder| (holder.raw(), 0)),
        Slot::Machine(i) => config.locals.get(i).map_or(ABSENT, |local| (local.raw(), 0)),
        Slot::Queue(i) => {
            config.words.get(i).map_or(ABSENT, |word| (word.raw(), config.kinds[i].raw()))
        }
    }
}
