//! Reads the levels of a diagram.

use std::collections::{BTreeMap, BTreeSet};

use qp_claim::{ClosedSet, Content, DiagramSet, Level as Written};
use qp_machines::{Config, KindId, LocalId, MachineId, QueueId, StoreId, System, WordId};

use crate::Checked;

/// The levels, with numbers of the system in place of cells.
pub(crate) struct Levels {
    pub(crate) all: Vec<Level>,
    /// Where each machine and each queue stands.
    machines: BTreeMap<MachineId, usize>,
    queues: BTreeMap<QueueId, usize>,
    /// Where the store stands, unless it is always the same.
    pub(crate) store: Option<usize>,
}

/// One level.
pub(crate) struct Level {
    columns: Vec<Column>,
    /// For each value: a number of the system for each column.
    values: Vec<Vec<u32>>,
    /// The value with these numbers.
    places: BTreeMap<Vec<u32>, u32>,
    /// For each node: where each of its values leads.
    pub(crate) nodes: Vec<BTreeMap<u32, u32>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Column {
    Machine(MachineId),
    Queue(QueueId),
    Store,
}

impl Levels {
    /// Reads a diagram: every column of a configuration stands somewhere, once, and every node leads on.
    pub(crate) fn read(system: &mut System, diagram: &DiagramSet) -> Checked<Self> {
        let initial = system.initial();
        let (set, tables) = (&diagram.set, Tables::read(system, &diagram.set)?);
        let same = set.locals.len() == initial.locals.len() && set.n_queues == initial.words.len();
        if !same {
            return Err("the diagram has other machines or queues than the model".to_owned());
        }
        let (mut all, mut machines, mut queues) = (Vec::new(), BTreeMap::new(), BTreeMap::new());
        let mut store = None;
        for (number, written) in diagram.levels.iter().enumerate() {
            let next = diagram.levels.get(number + 1).map_or(1, |next| next.nodes.len());
            let level = Level::read(written, &tables, &initial, next)?;
            for &column in &level.columns {
                let twice = match column {
                    Column::Machine(machine) => machines.insert(machine, number).is_some(),
                    Column::Queue(queue) => queues.insert(queue, number).is_some(),
                    Column::Store => store.replace(number).is_some() || level.columns.len() > 1,
                };
                if twice {
                    return Err("a column stands twice, or a machine beside the store".to_owned());
                }
            }
            all.push(level);
        }
        if machines.len() < initial.locals.len() || queues.len() < initial.words.len() {
            return Err("a machine or a queue stands nowhere".to_owned());
        }
        if all.first().is_none_or(|first| first.nodes.len() != 1) {
            return Err("the first level does not have one node".to_owned());
        }
        Ok(Self { all, machines, queues, store })
    }

    pub(crate) fn check_beginning(&self, system: &mut System) -> Checked<()> {
        let initial = system.initial();
        let mut node = 0;
        for level in &self.all {
            let next = level.value(&initial).and_then(|value| level.nodes[node].get(&value));
            node = *next.ok_or("the set does not contain the beginning")? as usize;
        }
        Ok(())
    }

    /// Where a machine stands.
    pub(crate) fn of_machine(&self, machine: MachineId) -> usize {
        self.machines[&machine]
    }

    /// Where a queue stands, if it exists.
    pub(crate) fn of_queue(&self, queue: QueueId) -> Option<usize> {
        self.queues.get(&queue).copied()
    }

    pub(crate) fn all_machines(&self) -> impl Iterator<Item = (MachineId, usize)> + '_ {
        self.machines.iter().map(|(&machine, &level)| (machine, level))
    }

    /// The values of the store's level; one, if the store is always the same.
    pub(crate) fn stores(&self) -> Vec<u32> {
        self.store.map_or_else(|| vec![0], |store| self.all[store].used().into_iter().collect())
    }

    /// Puts a value of the store's level into a configuration.
    pub(crate) fn put_store(&self, config: &mut Config, value: u32) {
        if let Some(store) = self.store {
            self.all[store].put(config, value);
        }
    }

    /// Whether there is a way through the diagram on which every level has a value that is wanted.
    pub(crate) fn has_way(&self, mut wanted: impl FnMut(usize, u32) -> bool) -> bool {
        let mut nodes = BTreeSet::from([0_u32]);
        for (number, level) in self.all.iter().enumerate() {
            let mut next = BTreeSet::new();
            for node in nodes {
                let values = level.nodes[node as usize].iter();
                next.extend(values.filter(|(value, _)| wanted(number, **value)).map(|it| *it.1));
            }
            nodes = next;
        }
        !nodes.is_empty()
    }
}

impl Level {
    /// Reads a level before one with `n_next` nodes.
    fn read(written: &Written, tables: &Tables, initial: &Config, n_next: usize) -> Checked<Self> {
        let mut columns = Vec::new();
        for &column in &written.columns {
            columns.push(tables.column(column as usize)?);
        }
        let (mut values, mut places) = (Vec::new(), BTreeMap::new());
        for (cells, place) in written.values.iter().zip(0..) {
            if cells.len() != columns.len() {
                return Err(format!("a value has {} cells", cells.len()));
            }
            let cells = cells.iter().zip(&columns);
            let value: Checked<Vec<u32>> =
                cells.map(|(&cell, &column)| tables.number(column, cell, initial)).collect();
            let value = value?;
            if places.insert(value.clone(), place).is_some() {
                return Err("a level has a value twice".to_owned());
            }
            values.push(value);
        }
        let mut nodes = Vec::new();
        for written in &written.nodes {
            let node: BTreeMap<u32, u32> = written.iter().copied().collect();
            let known = |(&value, &to): (&u32, &u32)| {
                (value as usize) < values.len() && (to as usize) < n_next
            };
            if node.is_empty() || node.len() < written.len() || !node.iter().all(known) {
                return Err("a node leads nowhere, or where nothing is".to_owned());
            }
            nodes.push(node);
        }
        Ok(Self { columns, values, places, nodes })
    }

    /// The values that stand in some node.
    pub(crate) fn used(&self) -> BTreeSet<u32> {
        self.nodes.iter().flat_map(|node| node.keys().copied()).collect()
    }

    /// Makes the columns of a configuration those of a value.
    pub(crate) fn put(&self, config: &mut Config, value: u32) {
        for (&column, &number) in self.columns.iter().zip(&self.values[value as usize]) {
            match column {
                Column::Machine(machine) => {
                    config.locals[machine.index()] = LocalId::from_raw(number);
                }
                Column::Queue(queue) => config.words[queue.index()] = WordId::from_raw(number),
                Column::Store => config.store = StoreId::from_raw(number),
            }
        }
    }

    /// The value that a configuration has here, if it is listed.
    pub(crate) fn value(&self, config: &Config) -> Option<u32> {
        let number = |column: &Column| match *column {
            Column::Machine(machine) => config.local(machine).raw(),
            Column::Queue(queue) => config.word(queue).raw(),
            Column::Store => config.store.raw(),
        };
        let numbers: Vec<u32> = self.columns.iter().map(number).collect();
        self.places.get(&numbers).copied()
    }
}

/// What cells stand for.
struct Tables {
    locals: Vec<Vec<LocalId>>,
    contents: Vec<(WordId, KindId)>,
    stores: Vec<StoreId>,
    n_queues: usize,
}

impl Tables {
    fn read(system: &mut System, set: &ClosedSet) -> Checked<Self> {
        let unknown = |text: &String| format!("there is no {text:?}");
        let (program, words) = system.program_and_words();
        let mut locals = Vec::new();
        for (machine, texts) in set.locals.iter().enumerate() {
            let mut local = |text: &String| program.local_from_text(MachineId::new(machine), text);
            let of: Checked<Vec<_>> =
                texts.iter().map(|text| local(text).ok_or_else(|| unknown(text))).collect();
            locals.push(of?);
        }
        let mut messages = Vec::new();
        for text in &set.messages {
            messages.push(program.message_from_text(text).ok_or_else(|| unknown(text))?);
        }
        let mut stores = Vec::new();
        for text in &set.stores {
            stores.push(program.store_from_text(text).ok_or_else(|| unknown(text))?);
        }
        let mut contents = Vec::new();
        for Content { kind, messages: held } in &set.contents {
            let mut word = if held.is_some() { WordId::EMPTY } else { WordId::CLOSED };
            for &letter in held.iter().flatten() {
                let message = messages.get(letter as usize);
                word = words.push(word, *message.ok_or("a content has an unknown message")?);
            }
            contents.push((word, KindId::from_raw(*kind)));
        }
        Ok(Self { locals, contents, stores, n_queues: set.n_queues })
    }

    fn column(&self, column: usize) -> Checked<Column> {
        let n_machines = self.locals.len();
        match column.checked_sub(n_machines) {
            None => Ok(Column::Machine(MachineId::new(column))),
            Some(queue) if queue < self.n_queues => Ok(Column::Queue(QueueId::new(queue))),
            Some(store) if store == self.n_queues => Ok(Column::Store),
            Some(_) => Err(format!("there is no column {column}")),
        }
    }

    /// The number of the system that a cell stands for. Queues keep the kind that they begin with.
    fn number(&self, column: Column, cell: u32, initial: &Config) -> Checked<u32> {
        let cell = cell as usize;
        let number = match column {
            Column::Machine(machine) => self.locals[machine.index()].get(cell).map(|it| it.raw()),
            Column::Queue(queue) => {
                let kind = initial.kinds[queue.index()];
                let content = self.contents.get(cell).filter(|content| content.1 == kind);
                content.map(|content| content.0.raw())
            }
            Column::Store => self.stores.get(cell).map(|it| it.raw()),
        };
        number.ok_or_else(|| format!("there is no cell {cell} for its column"))
    }
}
