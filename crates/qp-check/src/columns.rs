//! What a configuration is made of, each as a number, and what steps make of it.

use std::collections::BTreeMap;

use qp_machines::{After, CellId, Config, KindId, MachineId, QueueId, System, WordId};

/// One thing that a configuration is made of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Column {
    Machine(MachineId),
    Queue(QueueId),
    /// A shared variable. Where steps are moves, the first one is the store.
    Cell(CellId),
    /// Who goes on alone.
    Holder,
}

/// In place of a machine or queue that does not exist, and of somebody who goes on alone.
pub(crate) const NOTHING: u64 = u64::MAX;

/// A queue as a number.
pub(crate) fn queue_number(word: WordId, kind: KindId) -> u64 {
    u64::from(kind.raw()) << 32 | u64::from(word.raw())
}

/// The content of a queue that exists.
pub(crate) fn word_in(number: u64) -> WordId {
    WordId::from_raw(number as u32)
}

/// The kind of a queue that exists.
pub(crate) fn kind_in(number: u64) -> KindId {
    KindId::from_raw((number >> 32) as u32)
}

/// The value of a shared variable as a number.
pub(crate) fn cell_number(value: i32) -> u64 {
    u64::from(value.cast_unsigned())
}

/// The numbers of all columns of a configuration, as far as they exist.
pub(crate) fn numbers(system: &System, config: &Config) -> BTreeMap<Column, u64> {
    let holder = config.holder.map_or(NOTHING, |machine| u64::from(machine.raw()));
    let mut numbers = BTreeMap::from([(Column::Holder, holder)]);
    for machine in config.machines() {
        numbers.insert(Column::Machine(machine), u64::from(config.local(machine).raw()));
    }
    for queue in config.queues() {
        let number = queue_number(config.word(queue), config.kinds[queue.index()]);
        numbers.insert(Column::Queue(queue), number);
    }
    for (cell, value) in system.cells(config.store).into_iter().enumerate() {
        numbers.insert(Column::Cell(CellId::new(cell)), cell_number(value));
    }
    numbers
}

/// What becomes of a column.
#[derive(Clone, Copy)]
pub(crate) enum Change {
    Becomes(u64),
    /// Of a queue: it keeps its kind.
    Holds(WordId),
    /// Of a queue: it keeps its content.
    Has(KindId),
}

impl Change {
    /// What becomes of a number.
    pub(crate) fn of(self, number: u64) -> u64 {
        match self {
            Self::Becomes(number) => number,
            Self::Holds(word) => queue_number(word, kind_in(number)),
            Self::Has(kind) => queue_number(word_in(number), kind),
        }
    }
}

/// What becomes of which columns in a step from a configuration with so many machines and queues, in order. Nobody goes on
/// alone afterwards but whoever the step says.
pub(crate) fn changes(
    after: &After,
    (n_machines, n_queues): (usize, usize),
) -> Vec<(Column, Change)> {
    let mut changes = Vec::new();
    let first = queue_number(WordId::EMPTY, KindId::from_raw(0));
    if let Some(n) = after.n_machines {
        changes.extend(resized(n_machines, n, |it| Column::Machine(MachineId::new(it)), 0));
    }
    if let Some(n) = after.n_queues {
        changes.extend(resized(n_queues, n, |it| Column::Queue(QueueId::new(it)), first));
    }
    for &(machine, local) in &after.locals {
        changes.push((Column::Machine(machine), Change::Becomes(u64::from(local.raw()))));
    }
    changes.extend(after.kinds.iter().map(|&(it, kind)| (Column::Queue(it), Change::Has(kind))));
    changes.extend(after.words.iter().map(|&(it, word)| (Column::Queue(it), Change::Holds(word))));
    let cell = |&(cell, value): &(CellId, i32)| (Column::Cell(cell), cell_number(value));
    changes.extend(after.cells.iter().map(cell).map(|(cell, it)| (cell, Change::Becomes(it))));
    changes
}

/// The last ones are gone, or new.
fn resized(
    before: usize,
    after: usize,
    column: impl Fn(usize) -> Column,
    new: u64,
) -> impl Iterator<Item = (Column, Change)> {
    let becomes = if after < before { NOTHING } else { new };
    let changed = before.min(after)..before.max(after);
    changed.map(move |it| (column(it), Change::Becomes(becomes)))
}
