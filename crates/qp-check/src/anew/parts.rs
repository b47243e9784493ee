//! Configurations as rows of bits: each part is a small number in a field of its own.

use qp_base::Interner;
use qp_machines::{
    After, Atom, CellId, Config, KindId, LocalId, MachineId, QueueId, StoreId, System, WordId,
};

/// The parts that every configuration has. Shared variables come next; machines and queues follow as they are met.
pub(super) const HOLDER: usize = 0;
pub(super) const MACHINES: usize = 1;
pub(super) const QUEUES: usize = 2;
const CELLS: usize = 3;

/// What stands for a machine or a queue that does not exist, and for nobody as holder: always number 0.
const ABSENT: u64 = u64::MAX;

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
        let cells = system.cells(config.store);
        let n = CELLS + cells.len();
        let mut parts = Self {
            values: vec![Interner::new(); n],
            machines: Vec::new(),
            queues: Vec::new(),
            rests: vec![Vec::new(); n],
            layout: Layout::default(),
        };
        parts.values[HOLDER].intern(ABSENT);
        let mut numbers = vec![
            (HOLDER, parts.holder(config.holder)),
            (MACHINES, parts.number(MACHINES, config.locals.len() as u64)),
            (QUEUES, parts.number(QUEUES, config.words.len() as u64)),
        ];
        for (cell, &value) in cells.iter().enumerate() {
            numbers.push(parts.cell(CellId::new(cell), value));
        }
        for (machine, &local) in config.locals.iter().enumerate() {
            numbers.push(parts.local(system, MachineId::new(machine), local));
        }
        for (queue, content) in config.words.iter().zip(&config.kinds).enumerate() {
            numbers.push(parts.content(QueueId::new(queue), (*content.0, *content.1)));
        }
        parts.layout = parts.fitting();
        let mut row = vec![0; parts.layout.width];
        for (part, number) in numbers {
            parts.layout.fields[part].put(&mut row, number);
        }
        (parts, row)
    }

    fn number(&mut self, part: usize, value: u64) -> u32 {
        self.values[part].intern(value) as u32
    }

    fn holder(&mut self, holder: Option<MachineId>) -> u32 {
        self.number(HOLDER, holder.map_or(ABSENT, |machine| u64::from(machine.raw())))
    }

    fn cell(&mut self, cell: CellId, value: i32) -> (usize, u32) {
        let part = CELLS + cell.index();
        (part, self.number(part, u64::from(value.cast_unsigned())))
    }

    fn local(&mut self, system: &System, machine: MachineId, local: LocalId) -> (usize, u32) {
        let part = self.machine(machine);
        let number = self.number(part, u64::from(local.raw()));
        if number as usize == self.rests[part].len() {
            let rests = system.program().may_rest(machine, local);
            self.rests[part].push(rests);
        }
        (part, number)
    }

    fn content(&mut self, queue: QueueId, (word, kind): (WordId, KindId)) -> (usize, u32) {
        let part = self.queue(queue);
        let value = u64::from(word.raw()) << 32 | u64::from(kind.raw());
        (part, self.number(part, value))
    }

    /// The part of a machine, new if it was not met before.
    pub(super) fn machine(&mut self, machine: MachineId) -> usize {
        while self.machines.len() <= machine.index() {
            self.machines.push(self.values.len());
            self.add_part(vec![true]);
        }
        self.machines[machine.index()]
    }

    /// The part of a queue, new if it was not met before.
    pub(super) fn queue(&mut self, queue: QueueId) -> usize {
        while self.queues.len() <= queue.index() {
            self.queues.push(self.values.len());
            self.add_part(Vec::new());
        }
        self.queues[queue.index()]
    }

    fn add_part(&mut self, rests: Vec<bool>) {
        let mut values = Interner::new();
        values.intern(ABSENT);
        self.values.push(values);
        self.rests.push(rests);
        // No bits: all rows that there are have number 0.
        self.layout.fields.push(Field::default());
    }

    pub(super) fn part_of_cell(cell: CellId) -> usize {
        CELLS + cell.index()
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

    fn value(&self, part: usize, row: &[u64]) -> u64 {
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

    pub(super) fn local_of(&self, machine: MachineId, row: &[u64]) -> LocalId {
        LocalId::from_raw(self.value(self.machines[machine.index()], row) as u32)
    }

    pub(super) fn cell_of(&self, cell: CellId, row: &[u64]) -> i32 {
        (self.value(CELLS + cell.index(), row) as u32).cast_signed()
    }

    /// Content and kind of a queue, if it exists.
    pub(super) fn content_of(&self, queue: QueueId, row: &[u64]) -> Option<(WordId, KindId)> {
        let part = *self.queues.get(queue.index())?;
        content(self.value(part, row))
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
        values.iter().filter_map(|&value| Some(content(value)?.0))
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
        let (old_machines, old_queues) = (self.n_machines(here), self.n_queues(here));
        let mut writes = Vec::new();
        if after.holder.is_some() {
            writes.push((HOLDER, self.holder(after.holder)));
        }
        if let Some(n) = after.n_machines {
            writes.push((MACHINES, self.number(MACHINES, n as u64)));
            for machine in (n..old_machines).map(MachineId::new) {
                writes.push((self.machine(machine), 0));
            }
            for machine in (old_machines..n).map(MachineId::new) {
                writes.push(self.local(system, machine, LocalId::from_raw(0)));
            }
        }
        for &(machine, local) in &after.locals {
            writes.push(self.local(system, machine, local));
        }
        if let Some(n) = after.n_queues {
            writes.push((QUEUES, self.number(QUEUES, n as u64)));
            for queue in (n..old_queues).map(QueueId::new) {
                writes.push((self.queue(queue), 0));
            }
        }
        let n_queues = after.n_queues.unwrap_or(old_queues);
        let new = (old_queues..n_queues).map(QueueId::new);
        for queue in
            after.words.iter().map(|it| it.0).chain(after.kinds.iter().map(|it| it.0)).chain(new)
        {
            let old = self.content_of(queue, here).filter(|_| queue.index() < old_queues);
            let (word, kind) = old.unwrap_or((WordId::EMPTY, KindId::from_raw(0)));
            let word = after.words.iter().rev().find(|it| it.0 == queue).map_or(word, |it| it.1);
            let kind = after.kinds.iter().rev().find(|it| it.0 == queue).map_or(kind, |it| it.1);
            writes.push(self.content(queue, (word, kind)));
        }
        for &(cell, value) in &after.cells {
            writes.push(self.cell(cell, value));
        }
        writes
    }

    /// The part that a condition is about.
    pub(super) fn part_of(&mut self, atom: &Atom) -> usize {
        match atom {
            Atom::Control(machine, _) => self.machine(*machine),
            Atom::Content(queue, _) => self.queue(*queue),
        }
    }

    /// Notes for each new value of the part that a condition is about whether it holds then.
    pub(super) fn note_truth(
        &self,
        system: &System,
        atom: &Atom,
        part: usize,
        truth: &mut Vec<bool>,
    ) {
        let holds = |&value: &u64| value != ABSENT && atom.holds(system, &lone(atom, value));
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

fn content(value: u64) -> Option<(WordId, KindId)> {
    let pair = (WordId::from_raw((value >> 32) as u32), KindId::from_raw(value as u32));
    (value != ABSENT).then_some(pair)
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
            let word = content(value).map_or(WordId::EMPTY, |it| it.0);
            config.words = vec![word; queue.index() + 1];
        }
    }
    config
}
