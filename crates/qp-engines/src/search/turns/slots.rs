//! The parts of a configuration: the holder, every shared variable, every machine and every queue.

use qp_base::Interner;
use qp_machines::{CellId, Config, KindId, LocalId, MachineId, QueueId, System, WordId};

use super::super::marks::{Marks, Watch};

/// What a part is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Slot {
    Holder,
    Cell(CellId),
    Machine(MachineId),
    Queue(QueueId),
}

/// A value of a part: two numbers whose meaning depends on the part.
pub(super) type Raw = (u32, u32);

/// No machine or queue there, and nobody who goes on alone.
pub(super) const ABSENT: Raw = (u32::MAX, u32::MAX);
/// No value.
pub(super) const NONE: u32 = u32::MAX;
/// Where the values of parts begin among everything that a program can look at: before them are the numbers of
/// machines and of queues.
pub(super) const LOOKS: usize = 2;
pub(super) const N_MACHINES: usize = 0;
pub(super) const N_QUEUES: usize = 1;

/// All parts with their values.
pub(super) struct Slots {
    parts: Vec<Slot>,
    /// For each part: its values. The first value of a part that was added later means "absent".
    values: Vec<Interner<usize, Raw>>,
    /// For each part: the value that means "absent", if it was met.
    absent: Vec<u32>,
    /// For each part and value: what there is to say about it.
    marks: Vec<Vec<Marks>>,
    /// For each part and value: how long the queue is.
    lens: Vec<Vec<u32>>,
    /// The parts of machines and queues.
    machines: Vec<u32>,
    queues: Vec<u32>,
    /// What those say who were never met.
    nobody: Marks,
    watch: Watch,
}

/// The part of the holder.
const HOLDER: usize = 0;

impl Slots {
    pub(super) fn new(watch: Watch, n_cells: usize) -> Self {
        let mut slots = Self {
            parts: Vec::new(),
            values: Vec::new(),
            absent: Vec::new(),
            marks: Vec::new(),
            lens: Vec::new(),
            machines: Vec::new(),
            queues: Vec::new(),
            nobody: Marks::NEUTRAL,
            watch,
        };
        slots.add(Slot::Holder);
        (0..n_cells).for_each(|cell| slots.add(Slot::Cell(CellId::new(cell))));
        slots
    }

    fn add(&mut self, slot: Slot) {
        let number = self.parts.len() as u32;
        match slot {
            Slot::Machine(_) => self.machines.push(number),
            Slot::Queue(_) => self.queues.push(number),
            Slot::Holder | Slot::Cell(_) => {}
        }
        self.parts.push(slot);
        self.values.push(Interner::new());
        self.absent.push(NONE);
        self.marks.push(Vec::new());
        self.lens.push(Vec::new());
    }

    /// Makes parts for this many machines and queues. Those that come after the first ones are absent in all
    /// configurations met before.
    pub(super) fn make_room(&mut self, system: &mut System, n_machines: usize, n_queues: usize) {
        let first = self.machines.is_empty() && self.queues.is_empty();
        let machines = (self.machines.len()..n_machines).map(|m| Slot::Machine(MachineId::new(m)));
        let queues = (self.queues.len()..n_queues).map(|q| Slot::Queue(QueueId::new(q)));
        for slot in machines.chain(queues).collect::<Vec<_>>() {
            self.add(slot);
            if !first {
                self.intern(system, self.parts.len() - 1, ABSENT);
            }
        }
        self.mark_nobody();
    }

    /// The number of a value of a part.
    pub(super) fn intern(&mut self, system: &mut System, part: usize, raw: Raw) -> u32 {
        let value = self.values[part].intern(raw);
        if value == self.marks[part].len() {
            let marks = self.mark(system, part, raw);
            self.marks[part].push(marks);
            let word = WordId::from_raw(raw.0);
            let is_queue = matches!(self.parts[part], Slot::Queue(_)) && raw != ABSENT;
            self.lens[part].push(if is_queue { system.words().len(word) as u32 } else { 0 });
            if raw == ABSENT {
                self.absent[part] = value as u32;
            }
        }
        value as u32
    }

    /// What there is to say about a value of a part. Only its own machine or queue is looked at.
    fn mark(&self, system: &mut System, part: usize, raw: Raw) -> Marks {
        let mut config = Config::nothing();
        let (mut machines, mut queues) = (Vec::new(), Vec::new());
        match self.parts[part] {
            Slot::Holder | Slot::Cell(_) => return Marks::NEUTRAL,
            Slot::Machine(machine) => {
                config.locals = vec![LocalId::from_raw(raw.0); machine.index() + 1];
                machines.push(machine);
            }
            Slot::Queue(queue) if !self.watch.names(queue) => return Marks::NEUTRAL,
            Slot::Queue(queue) => {
                config.words = vec![WordId::from_raw(raw.0); queue.index() + 1];
                config.kinds = vec![KindId::from_raw(raw.1); queue.index() + 1];
                queues.push(queue);
            }
        }
        if raw == ABSENT {
            return self.watch.absence(&machines, &queues);
        }
        self.watch.marks(system, &config, &machines, &queues)
    }

    /// Bad situations may name machines and queues that were never met.
    fn mark_nobody(&mut self) {
        let mut config = Config::nothing();
        config.locals = vec![LocalId::from_raw(0); self.machines.len()];
        config.words = vec![WordId::EMPTY; self.queues.len()];
        self.nobody = Marks::NEUTRAL;
        self.watch.without_absent(&mut self.nobody, &config);
    }

    /// Watches something else from now on.
    pub(super) fn watch_for(&mut self, system: &mut System, watch: Watch) {
        self.watch = watch;
        self.mark_nobody();
        for part in 0..self.parts.len() {
            let raws = self.values[part].values().to_vec();
            self.marks[part] = raws.into_iter().map(|raw| self.mark(system, part, raw)).collect();
        }
    }

    pub(super) fn watch(&self) -> &Watch {
        &self.watch
    }

    /// What all parts of a configuration say together.
    pub(super) fn marks(&self, values: &[u32]) -> Marks {
        let mut marks = self.nobody;
        for (marked, &value) in self.marks.iter().zip(&values[LOOKS..]) {
            marks.join(&marked[value as usize]);
        }
        marks
    }

    pub(super) fn counts(&self) -> Vec<usize> {
        self.values.iter().map(Interner::len).collect()
    }

    pub(super) fn bytes(&self) -> u64 {
        let per_value = (24 + size_of::<Marks>() + 4) as u64;
        self.values.iter().map(|values| values.len() as u64 * per_value).sum()
    }

    pub(super) fn n_parts(&self) -> usize {
        self.parts.len()
    }

    pub(super) fn n_values(&self, part: usize) -> usize {
        self.values[part].len()
    }

    /// The value of a part that means that there is nobody, or [`NONE`].
    pub(super) fn absent(&self, part: usize) -> u32 {
        self.absent[part]
    }

    /// What one value of a part says.
    pub(super) fn marks_of(&self, part: usize, value: u32) -> &Marks {
        &self.marks[part][value as usize]
    }

    /// What those say who were never met.
    pub(super) fn nobody(&self) -> &Marks {
        &self.nobody
    }

    pub(super) fn slot(&self, part: usize) -> Slot {
        self.parts[part]
    }

    pub(super) fn raw(&self, part: usize, value: u32) -> Raw {
        *self.values[part].value(value as usize)
    }

    /// The greatest numbers of machines and queues that any configuration has had.
    pub(super) fn n_machines_queues(&self) -> (usize, usize) {
        (self.machines.len(), self.queues.len())
    }

    #[inline]
    pub(super) fn machine(&self, machine: usize) -> usize {
        self.machines[machine] as usize
    }

    pub(super) fn queue(&self, queue: usize) -> usize {
        self.queues[queue] as usize
    }

    pub(super) fn cell(cell: CellId) -> usize {
        HOLDER + 1 + cell.index()
    }

    pub(super) const fn holder() -> usize {
        HOLDER
    }

    /// How long a queue is when its part has this value.
    pub(super) fn len(&self, part: usize, value: u32) -> u32 {
        self.lens[part][value as usize]
    }

    /// Completes the values of parts, which begin at [`LOOKS`], by how many machines and queues exist. Parts
    /// that were added since have their first value.
    #[inline]
    pub(super) fn complete(&self, values: &mut Vec<u32>) {
        values.resize(self.parts.len() + LOOKS, 0);
        values[N_MACHINES] = self.present(values, &self.machines);
        values[N_QUEUES] = self.present(values, &self.queues);
    }

    /// How many of these exist: they come and go at the end.
    #[inline]
    fn present(&self, values: &[u32], parts: &[u32]) -> u32 {
        let exists = |&part: &u32| values[part as usize + LOOKS] != self.absent[part as usize];
        parts.iter().rposition(exists).map_or(0, |last| last as u32 + 1)
    }

    /// Who goes on alone.
    #[inline]
    pub(super) fn holds(&self, values: &[u32]) -> Option<usize> {
        let value = values[HOLDER + LOOKS];
        (value != self.absent[HOLDER]).then(|| self.raw(HOLDER, value).0 as usize)
    }

    /// The value that means that a machine goes on alone, or [`NONE`] if it never did.
    pub(super) fn holder_of(&self, machine: usize) -> u32 {
        let value = self.values[HOLDER].find(&(machine as u32, 0));
        value.map_or(NONE, |value| value as u32)
    }

    /// The value that means that nobody goes on alone, if it was met.
    #[inline]
    pub(super) fn nobody_holds(&self) -> u32 {
        self.absent[HOLDER]
    }

    /// The parts of a configuration.
    pub(super) fn values(&mut self, system: &mut System, config: &Config) -> Vec<u32> {
        self.make_room(system, config.locals.len(), config.words.len());
        let cells = system.cells(config.store);
        let mut values = Vec::with_capacity(self.parts.len());
        for part in 0..self.parts.len() {
            let raw = match self.parts[part] {
                Slot::Holder => config.holder.map_or(ABSENT, |machine| (machine.raw(), 0)),
                Slot::Cell(cell) => (cells[cell.index()].cast_unsigned(), 0),
                Slot::Machine(machine) => {
                    config.locals.get(machine.index()).map_or(ABSENT, |local| (local.raw(), 0))
                }
                Slot::Queue(queue) => config
                    .words
                    .get(queue.index())
                    .map_or(ABSENT, |word| (word.raw(), config.kinds[queue.index()].raw())),
            };
            values.push(self.intern(system, part, raw));
        }
        values
    }

    /// The configuration with these parts.
    pub(super) fn config(&self, system: &mut System, values: &[u32]) -> Config {
        let mut config = Config::nothing();
        let mut cells = Vec::new();
        for (part, &value) in values.iter().enumerate() {
            let raw @ (first, second) = self.raw(part, value);
            match self.parts[part] {
                Slot::Cell(_) => cells.push(first.cast_signed()),
                _ if raw == ABSENT => {}
                Slot::Holder => config.holder = Some(MachineId::from_raw(first)),
                Slot::Machine(_) => config.locals.push(LocalId::from_raw(first)),
                Slot::Queue(_) => {
                    config.words.push(WordId::from_raw(first));
                    config.kinds.push(KindId::from_raw(second));
                }
            }
        }
        config.store = system.store_of(&cells);
        config
    }
}
