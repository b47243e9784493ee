//! Configurations as rows of bits: each part is a small number in a field of its own.

use qp_base::Interner;
use qp_machines::{After, Atom, Config, LocalId, MachineId, QueueId, StoreId, System, WordId};

use crate::columns::{Column, NOTHING, changes, numbers, word_in};

/// The parts that every configuration has. Shared variables come next; machines and queues follow as they are met.
pub(super) const HOLDER: usize = 0;
pub(super) const MACHINES: usize = 1;
pub(super) const QUEUES: usize = 2;
const CELLS: usize = 3;

/// Where the number of a part stands in a row.
#[derive(Clone, Copy, Default)]
pub(super) struct Field {
    mask: u64,
    shift: u32,
    word: u32,
}

impl Field {
    #[inline]
    pub(super) fn get(self, row: &[u64]) -> u32 {
        (row[self.word as usize] >> self.shift & self.mask) as u32
    }

    #[inline]
    pub(super) fn put(self, row: &mut [u64], number: u32) {
        let word = &mut row[self.word as usize];
        *word = *word & !(self.mask << self.shift) | u64::from(number) << self.shift;
    }
}

/// Where the numbers of all parts stand.
#[derive(Clone, Default)]
pub(super) struct Layout {
    pub(super) fields: Vec<Field>,
    /// How many words a row has.
    pub(super) width: usize,
}

/// All values of all parts that were met.
pub(super) struct Parts {
    values: Vec<Interner<usize, u64>>,
    machines: Vec<usize>,
    queues: Vec<usize>,
    /// For each part that is a machine: whether it may rest with this value.
    rests: Vec<Vec<bool>>,
    pub(super) layout: Layout,
}

impl Parts {
    /// The parts of a system, and the row of a configuration.
    pub(super) fn new(system: &mut System, config: &Config) -> (Self, Vec<u64>) {
        let n = CELLS + system.cells(config.store).len();
        let mut parts = Self {
            values: vec![Interner::new(); n],
            machines: Vec::new(),
            queues: Vec::new(),
            rests: vec![Vec::new(); n],
            layout: Layout::default(),
        };
        // What does not exist has number 0.
        parts.values[HOLDER].intern(NOTHING);
        let mut row = vec![
            (MACHINES, parts.number(MACHINES, config.locals.len() as u64)),
            (QUEUES, parts.number(QUEUES, config.words.len() as u64)),
        ];
        for (column, value) in numbers(system, config) {
            row.push(parts.note(system, column, value));
        }
        parts.layout = parts.fitting();
        let mut packed = vec![0; parts.layout.width];
        for (part, number) in row {
            parts.layout.fields[part].put(&mut packed, number);
        }
        (parts, packed)
    }

    fn number(&mut self, part: usize, value: u64) -> u32 {
        self.values[part].intern(value) as u32
    }

    /// The part of a column, and the number of its value.
    fn note(&mut self, system: &System, column: Column, value: u64) -> (usize, u32) {
        let part = self.part(column);
        let number = self.number(part, value);
        if let Column::Machine(machine) = column
            && number as usize == self.rests[part].len()
        {
            let local = LocalId::from_raw(value as u32);
            self.rests[part].push(system.program().may_rest(machine, local));
        }
        (part, number)
    }

    /// The part of a column, new if it was not met before.
    pub(super) fn part(&mut self, column: Column) -> usize {
        match column {
            Column::Machine(machine) => self.machine(machine),
            Column::Queue(queue) => self.queue(queue),
            Column::Cell(cell) => CELLS + cell.index(),
            Column::Holder => HOLDER,
        }
    }

    fn machine(&mut self, machine: MachineId) -> usize {
        while self.machines.len() <= machine.index() {
            self.machines.push(self.values.len());
            self.add_part(vec![true]);
        }
        self.machines[machine.index()]
    }

    fn queue(&mut self, queue: QueueId) -> usize {
        while self.queues.len() <= queue.index() {
            self.queues.push(self.values.len());
            self.add_part(Vec::new());
        }
        self.queues[queue.index()]
    }

    fn add_part(&mut self, rests: Vec<bool>) {
        let mut values = Interner::new();
        values.intern(NOTHING);
        self.values.push(values);
        self.rests.push(rests);
        // No bits: all rows that there are have number 0.
        self.layout.fields.push(Field::default());
    }

    pub(super) fn machines(&self) -> &[usize] {
        &self.machines
    }

    pub(super) fn queues(&self) -> &[usize] {
        &self.queues
    }

    /// The number of a part in a row.
    #[inline]
    pub(super) fn at(&self, part: usize, row: &[u64]) -> u32 {
        self.layout.fields[part].get(row)
    }

    pub(super) fn value(&self, part: usize, row: &[u64]) -> u64 {
        *self.values[part].value(self.at(part, row) as usize)
    }

    pub(super) fn n_machines(&self, row: &[u64]) -> usize {
        self.value(MACHINES, row) as usize
    }

    pub(super) fn n_queues(&self, row: &[u64]) -> usize {
        self.value(QUEUES, row) as usize
    }

    pub(super) fn holder_of(&self, row: &[u64]) -> Option<usize> {
        match self.at(HOLDER, row) {
            0 => None,
            number => Some(*self.values[HOLDER].value(number as usize) as usize),
        }
    }

    /// The content of a queue, if it exists.
    pub(super) fn content_of(&self, queue: QueueId, row: &[u64]) -> Option<WordId> {
        content(self.value(*self.queues.get(queue.index())?, row))
    }

    /// Whether a machine exists that may not rest.
    pub(super) fn is_awake(&self, machine: usize, row: &[u64]) -> bool {
        let part = self.machines[machine];
        !self.rests[part][self.at(part, row) as usize]
    }

    /// What a queue holds in any configuration.
    pub(super) fn contents(&self, queue: QueueId) -> impl Iterator<Item = WordId> {
        let values =
            self.queues.get(queue.index()).map_or(&[][..], |&part| self.values[part].values());
        values.iter().filter_map(|&value| content(value))
    }

    /// What is written into a row by a step, as pairs of part and number. The holder is only written if there is one.
    /// `here` is the row it was seen in; how many machines and queues there are, and the queues that change, were
    /// looked at.
    pub(super) fn writes(
        &mut self,
        system: &System,
        after: &After,
        here: &[u64],
    ) -> Vec<(usize, u32)> {
        let mut writes = Vec::new();
        if let Some(holder) = after.holder {
            writes.push(self.note(system, Column::Holder, u64::from(holder.raw())));
        }
        for (part, n) in [(MACHINES, after.n_machines), (QUEUES, after.n_queues)] {
            writes.extend(n.map(|n| (part, self.number(part, n as u64))));
        }
        for (column, change) in changes(after, (self.n_machines(here), self.n_queues(here))) {
            let part = self.part(column);
            let written = writes.iter().rev().find(|it: &&(usize, u32)| it.0 == part);
            let number = written.map_or_else(|| self.at(part, here), |it| it.1);
            let value = change.of(*self.values[part].value(number as usize));
            writes.push(self.note(system, column, value));
        }
        writes
    }

    /// The part that a condition is about.
    pub(super) fn part_of(&mut self, atom: &Atom) -> usize {
        self.part(match atom {
            Atom::Control(machine, _) => Column::Machine(*machine),
            Atom::Content(queue, _) => Column::Queue(*queue),
        })
    }

    /// Notes for each new value of the part that a condition is about whether it holds then.
    pub(super) fn note_truth(
        &self,
        system: &System,
        atom: &Atom,
        part: usize,
        truth: &mut Vec<bool>,
    ) {
        let holds = |&value: &u64| value != NOTHING && atom.holds(system, &lone(atom, value));
        truth.extend(self.values[part].values()[truth.len()..].iter().map(holds));
    }

    /// Whether all numbers fit into their fields.
    pub(super) fn fits(&self) -> bool {
        let fields = self.layout.fields.iter().zip(&self.values);
        fields.into_iter().all(|(field, values)| values.len() as u64 - 1 <= field.mask)
    }

    /// Fields into which all numbers fit. Those that have outgrown their field get a bit more than they need now.
    pub(super) fn fitting(&self) -> Layout {
        let (mut fields, mut at) = (Vec::with_capacity(self.values.len()), 0);
        for (part, values) in self.values.iter().enumerate() {
            let old = self.layout.fields.get(part).copied().unwrap_or_default();
            let greatest = values.len() as u64 - 1;
            let needed = u64::BITS - greatest.leading_zeros();
            let bits = match u64::BITS - old.mask.leading_zeros() {
                enough if needed <= enough => enough,
                0 => needed,
                _ => needed + 1,
            };
            if at % u64::BITS + bits > u64::BITS {
                at = at.next_multiple_of(u64::BITS);
            }
            let mask = (1 << bits) - 1;
            // A field without bits may stand anywhere, also behind a row that is full.
            let word = if bits == 0 { 0 } else { at / u64::BITS };
            fields.push(Field { mask, shift: at % u64::BITS, word });
            at += bits;
        }
        Layout { fields, width: at.div_ceil(u64::BITS).max(1) as usize }
    }
}

fn content(value: u64) -> Option<WordId> {
    (value != NOTHING).then(|| word_in(value))
}

/// A configuration in which nothing counts but the part that a condition is about.
fn lone(atom: &Atom, value: u64) -> Config {
    let mut config = Config {
        locals: Vec::new(),
        words: Vec::new(),
        kinds: Vec::new(),
        store: StoreId::NONE,
        holder: None,
    };
    match atom {
        Atom::Control(machine, _) => {
            config.locals = vec![LocalId::from_raw(value as u32); machine.index() + 1];
        }
        Atom::Content(queue, _) => {
            let word = content(value).unwrap_or(WordId::EMPTY);
            config.words = vec![word; queue.index() + 1];
        }
    }
    config
}
