//! Reads the levels of a diagram.

use std::collections::{BTreeMap, BTreeSet};

use qp_claim::{ABSENT, ClosedSet, Content, DiagramSet, Level as Written};
use qp_machines::{CellId, Config, KindId, LocalId, MachineId, MessageId, QueueId, System, WordId};

use crate::diagram::Checked;
use crate::diagram::rules::{NOWHERE, Relation};

/// More levels would need a deeper stack than a thread has.
const LEVELS_MAX: usize = 1_000;

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

/// What becomes of a column.
#[derive(Clone, Copy)]
pub(crate) enum Change {
    Becomes(u64),
    /// Of a queue: it keeps its kind.
    Holds(WordId),
    /// Of a queue: it keeps its content.
    Has(KindId),
}

/// A queue as a number.
pub(crate) fn queue_number(word: WordId, kind: KindId) -> u64 {
    u64::from(kind.raw()) << 32 | u64::from(word.raw())
}

/// The content of a queue that exists.
pub(crate) fn word_in(number: u64) -> WordId {
    WordId::from_raw(number as u32)
}

/// The value of a shared variable as a number.
pub(crate) fn cell_number(value: i32) -> u64 {
    u64::from(value.cast_unsigned())
}

/// The levels, with numbers of the system in place of cells.
pub(crate) struct Levels {
    pub(crate) all: Vec<Level>,
    /// Where each column stands: the level, and the place there.
    places: BTreeMap<Column, (usize, usize)>,
    /// How many machines and queues there are at most.
    pub(crate) n_machines: usize,
    pub(crate) n_queues: usize,
}

/// One level.
pub(crate) struct Level {
    /// For each value: a number of the system for each column.
    values: Vec<Vec<u64>>,
    /// The value with these numbers.
    places: BTreeMap<Vec<u64>, u32>,
    /// For each node: where each of its values leads.
    pub(crate) nodes: Vec<BTreeMap<u32, u32>>,
    /// The values that stand in some node.
    pub(crate) used: BTreeSet<u32>,
}

impl Levels {
    /// Reads a diagram: every machine and every queue stands somewhere, no column stands twice, and every node leads on.
    pub(crate) fn read(system: &mut System, diagram: &DiagramSet) -> Checked<Self> {
        let initial = system.initial();
        let tables = Tables::read(system, diagram, &initial)?;
        let (n_machines, n_queues) = (tables.locals.len(), diagram.set.n_queues);
        let (all, places) = (Vec::new(), BTreeMap::new());
        let mut levels = Self { all, places, n_machines, n_queues };
        for (number, written) in diagram.levels.iter().enumerate() {
            let next = diagram.levels.get(number + 1).map_or(1, |next| next.nodes.len());
            let mut columns = Vec::new();
            for (&column, place) in written.columns.iter().zip(0..) {
                columns.push(tables.column(column as usize)?);
                if levels.places.insert(columns[place], (number, place)).is_some() {
                    return Err("a column stands twice".into());
                }
            }
            if columns.len() > 1 && columns.contains(&Column::Holder) {
                return Err("whoever goes on alone stands beside something else".into());
            }
            levels.all.push(Level::read(written, &columns, &tables, next)?);
        }
        if levels.all.first().is_none_or(|first| first.nodes.len() != 1) {
            return Err("the first level does not have one node".into());
        }
        levels.complete(system, &initial)?;
        Ok(levels)
    }

    /// What is left out never changes: behind the last level there is one more for each such thing.
    fn complete(&mut self, system: &System, initial: &Config) -> Checked<()> {
        let mut all = self.machines().into_iter().chain(self.queues());
        if !all.all(|column| self.places.contains_key(&column)) {
            return Err("a machine or a queue stands nowhere".into());
        }
        let cells = (0..system.n_cells()).map(|cell| Column::Cell(CellId::new(cell)));
        let beginning = beginning(system, initial);
        for column in cells.chain([Column::Holder]) {
            if !self.places.contains_key(&column) {
                self.places.insert(column, (self.all.len(), 0));
                self.all.push(Level::fixed(beginning[&column]));
            }
        }
        if self.all.len() > LEVELS_MAX {
            return Err("there are too many levels".into());
        }
        Ok(())
    }

    pub(crate) fn check_beginning(&self, system: &mut System) -> Checked<()> {
        let initial = system.initial();
        let beginning = beginning(system, &initial);
        let mut numbers = vec![BTreeMap::new(); self.all.len()];
        for (column, &(level, place)) in &self.places {
            numbers[level].insert(place, *beginning.get(column).unwrap_or(&NOTHING));
        }
        let mut node = 0;
        for (level, numbers) in self.all.iter().zip(numbers) {
            let numbers: Vec<u64> = numbers.into_values().collect();
            let value = level.places.get(&numbers);
            let next = value.and_then(|value| level.nodes[node].get(value));
            node = *next.ok_or("the set does not contain the beginning")? as usize;
        }
        Ok(())
    }

    /// The columns of all machines.
    pub(crate) fn machines(&self) -> Vec<Column> {
        (0..self.n_machines).map(|machine| Column::Machine(MachineId::new(machine))).collect()
    }

    /// The columns of all queues.
    pub(crate) fn queues(&self) -> Vec<Column> {
        (0..self.n_queues).map(|queue| Column::Queue(QueueId::new(queue))).collect()
    }

    /// Where a column stands: the level, and the place there.
    pub(crate) fn place(&self, column: Column) -> Option<(usize, usize)> {
        self.places.get(&column).copied()
    }

    /// The number that a column has with a value of its level.
    pub(crate) fn number(&self, (level, place): (usize, usize), value: u32) -> u64 {
        self.all[level].values[value as usize][place]
    }

    /// The values with which something holds of a column, and their level; nothing if it stands nowhere.
    pub(crate) fn holding(
        &self,
        column: Column,
        mut holds: impl FnMut(u64) -> bool,
    ) -> Option<(usize, Relation)> {
        let at = self.place(column)?;
        let used = self.all[at.0].used.iter();
        let holding = used.filter(|&&value| holds(self.number(at, value)));
        Some((at.0, holding.map(|&value| (value, value)).collect()))
    }
}

/// The numbers of all columns in the beginning, as far as they exist.
fn beginning(system: &System, initial: &Config) -> BTreeMap<Column, u64> {
    let mut numbers = BTreeMap::from([(Column::Holder, NOTHING)]);
    for machine in initial.machines() {
        numbers.insert(Column::Machine(machine), u64::from(initial.local(machine).raw()));
    }
    for queue in initial.queues() {
        let number = queue_number(initial.word(queue), initial.kinds[queue.index()]);
        numbers.insert(Column::Queue(queue), number);
    }
    for (cell, value) in system.cells(initial.store).into_iter().enumerate() {
        numbers.insert(Column::Cell(CellId::new(cell)), cell_number(value));
    }
    numbers
}

impl Level {
    /// Reads a level behind which there are `n_next` nodes.
    fn read(
        written: &Written,
        columns: &[Column],
        tables: &Tables,
        n_next: usize,
    ) -> Checked<Self> {
        let (mut values, mut places) = (Vec::new(), BTreeMap::new());
        for (cells, place) in written.values.iter().zip(0..) {
            if cells.len() != columns.len() {
                return Err(format!("a value has {} cells", cells.len()).into());
            }
            let mut value = Vec::new();
            for (&cell, &column) in cells.iter().zip(columns) {
                value.push(tables.number(column, cell)?);
            }
            if places.insert(value.clone(), place).is_some() {
                return Err("a level has a value twice".into());
            }
            values.push(value);
        }
        let (mut nodes, mut used) = (Vec::new(), BTreeSet::new());
        for written in &written.nodes {
            let node: BTreeMap<u32, u32> = written.iter().copied().collect();
            let known = |(&value, &to): (&u32, &u32)| {
                (value as usize) < values.len() && (to as usize) < n_next
            };
            if node.is_empty() || node.len() < written.len() || !node.iter().all(known) {
                return Err("a node leads nowhere, or where nothing is".into());
            }
            used.extend(node.keys());
            nodes.push(node);
        }
        Ok(Self { values, places, nodes, used })
    }

    /// A last level on which nothing but this number is possible.
    fn fixed(number: u64) -> Self {
        let values = vec![vec![number]];
        let places = BTreeMap::from([(values[0].clone(), 0)]);
        Self { values, places, nodes: vec![BTreeMap::from([(0, 0)])], used: BTreeSet::from([0]) }
    }

    /// What becomes of a value if its columns change.
    pub(crate) fn changed(&self, value: u32, changes: &[(usize, Change)]) -> u32 {
        let mut numbers = self.values[value as usize].clone();
        for &(place, change) in changes {
            let number = &mut numbers[place];
            *number = match change {
                Change::Becomes(number) => number,
                Change::Holds(word) => (*number >> 32) << 32 | u64::from(word.raw()),
                Change::Has(kind) => queue_number(WordId::from_raw(*number as u32), kind),
            };
        }
        self.places.get(&numbers).copied().unwrap_or(NOWHERE)
    }

    /// Whether a relation says nothing about this level: everything is possible, and stays.
    pub(crate) fn is_idle(&self, relation: &Relation) -> bool {
        relation.len() == self.used.len() && relation.iter().all(|(value, after)| value == after)
    }
}

/// What texts stand for.
fn named<T>(texts: &[String], mut of: impl FnMut(&str) -> Option<T>) -> Checked<Vec<T>> {
    let of = |text: &String| of(text).ok_or_else(|| format!("there is no {text:?}").into());
    texts.iter().map(of).collect()
}

/// What cells stand for.
struct Tables {
    locals: Vec<Vec<LocalId>>,
    contents: Vec<u64>,
    n_queues: usize,
    /// The values of shared variables.
    cells: Vec<u64>,
    /// How many of them there are, each for itself; without any, the store stands in one piece.
    n_cells: Option<usize>,
}

impl Tables {
    fn read(system: &mut System, diagram: &DiagramSet, initial: &Config) -> Checked<Self> {
        let set = &diagram.set;
        if set.locals.len() < initial.locals.len() || set.n_queues < initial.words.len() {
            return Err("the diagram has other machines or queues than the model".into());
        }
        let n_cells = system.program().outline().n_cells;
        let program = system.program_mut();
        let mut locals = Vec::new();
        for (machine, texts) in set.locals.iter().enumerate() {
            let local = |text: &str| program.local_from_text(MachineId::new(machine), text);
            locals.push(named(texts, local)?);
        }
        let messages = named(&set.messages, |text| program.message_from_text(text))?;
        let stores = named(&set.stores, |text| program.store_from_text(text))?;
        let cells = match n_cells {
            None => stores.into_iter().flatten().map(cell_number).collect(),
            Some(_) => diagram.numbers.iter().map(|&number| cell_number(number)).collect(),
        };
        let contents = read_contents(system, set, &messages)?;
        Ok(Self { locals, contents, n_queues: set.n_queues, cells, n_cells })
    }

    /// What stands in a column of a row: machines, queues, the store, the holder, and then shared variables.
    fn column(&self, column: usize) -> Checked<Column> {
        let (queues, store) = (self.locals.len(), self.locals.len() + self.n_queues);
        match (column, self.n_cells) {
            _ if column < queues => Ok(Column::Machine(MachineId::new(column))),
            _ if column < store => Ok(Column::Queue(QueueId::new(column - queues))),
            _ if column == store + 1 => Ok(Column::Holder),
            (_, None) if column == store => Ok(Column::Cell(CellId::from_raw(0))),
            (_, Some(n)) if (store + 2..store + 2 + n).contains(&column) => {
                Ok(Column::Cell(CellId::new(column - store - 2)))
            }
            _ => Err(format!("there is no column {column}").into()),
        }
    }

    /// The number of the system that a cell stands for.
    fn number(&self, column: Column, cell: u32) -> Checked<u64> {
        let place = cell as usize;
        let number = match column {
            Column::Machine(_) | Column::Queue(_) | Column::Holder if cell == ABSENT => {
                Some(NOTHING)
            }
            Column::Machine(machine) => {
                let local = self.locals[machine.index()].get(place);
                local.map(|local| u64::from(local.raw()))
            }
            Column::Queue(_) => self.contents.get(place).copied(),
            Column::Cell(_) => self.cells.get(place).copied(),
            Column::Holder => (place < self.locals.len()).then_some(u64::from(cell)),
        };
        Ok(number.ok_or_else(|| format!("there is no cell {cell} for its column"))?)
    }
}

fn read_contents(
    system: &mut System,
    set: &ClosedSet,
    messages: &[MessageId],
) -> Checked<Vec<u64>> {
    let n_kinds = system.program().outline().kinds.len();
    let mut contents = Vec::new();
    for Content { kind, messages: held } in &set.contents {
        if *kind as usize >= n_kinds {
            return Err(format!("there is no kind of queue {kind}").into());
        }
        let mut word = if held.is_some() { WordId::EMPTY } else { WordId::CLOSED };
        for &letter in held.iter().flatten() {
            let message = messages.get(letter as usize);
            let message = *message.ok_or("a content has an unknown message")?;
            word = system.words_mut().push(word, message);
        }
        contents.push(queue_number(word, KindId::from_raw(*kind)));
    }
    Ok(contents)
}
