//! Reads the levels of a diagram.

use std::collections::{BTreeMap, BTreeSet};

use qp_claim::{ABSENT, DiagramSet, Level as Written};
use qp_machines::{CellId, Config, MachineId, QueueId, System};

use crate::columns::{Change, Column, NOTHING, cell_number, numbers, queue_number};
use crate::diagram::rules::{NOWHERE, Relation};
use crate::tables::Tables;
use crate::{Checked, wrong};

/// More levels would need a deeper stack than a thread has.
const LEVELS_MAX: usize = 1_000;

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
        let tables = Columns::read(system, diagram, &initial)?;
        let (n_machines, n_queues) = (diagram.set.locals.len(), diagram.set.n_queues);
        let (all, places) = (Vec::new(), BTreeMap::new());
        let mut levels = Self { all, places, n_machines, n_queues };
        for (number, written) in diagram.levels.iter().enumerate() {
            let next = diagram.levels.get(number + 1).map_or(1, |next| next.nodes.len());
            let mut columns = Vec::new();
            for (&column, place) in written.columns.iter().zip(0..) {
                columns.push(tables.column(column as usize)?);
                if levels.places.insert(columns[place], (number, place)).is_some() {
                    return wrong("a column stands twice");
                }
            }
            if columns.len() > 1 && columns.contains(&Column::Holder) {
                return wrong("whoever goes on alone stands beside something else");
            }
            levels.all.push(Level::read(written, &columns, &tables, next)?);
        }
        if levels.all.first().is_none_or(|first| first.nodes.len() != 1) {
            return wrong("the first level does not have one node");
        }
        levels.complete(system, &initial)?;
        Ok(levels)
    }

    /// What is left out never changes: behind the last level there is one more for each such thing.
    fn complete(&mut self, system: &System, initial: &Config) -> Checked<()> {
        let mut all = self.machines().into_iter().chain(self.queues());
        if !all.all(|column| self.places.contains_key(&column)) {
            return wrong("a machine or a queue stands nowhere");
        }
        let cells = (0..system.n_cells()).map(|cell| Column::Cell(CellId::new(cell)));
        let beginning = numbers(system, initial);
        for column in cells.chain([Column::Holder]) {
            if !self.places.contains_key(&column) {
                self.places.insert(column, (self.all.len(), 0));
                self.all.push(Level::fixed(beginning[&column]));
            }
        }
        if self.all.len() > LEVELS_MAX {
            return wrong("there are too many levels");
        }
        Ok(())
    }

    pub(crate) fn check_beginning(&self, system: &mut System) -> Checked<()> {
        let initial = system.initial();
        let beginning = numbers(system, &initial);
        let mut rows = vec![BTreeMap::new(); self.all.len()];
        for (column, &(level, place)) in &self.places {
            rows[level].insert(place, *beginning.get(column).unwrap_or(&NOTHING));
        }
        let mut node = 0;
        for (level, row) in self.all.iter().zip(rows) {
            let numbers: Vec<u64> = row.into_values().collect();
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

impl Level {
    /// Reads a level behind which there are `n_next` nodes.
    fn read(
        written: &Written,
        columns: &[Column],
        tables: &Columns,
        n_next: usize,
    ) -> Checked<Self> {
        let (mut values, mut places) = (Vec::new(), BTreeMap::new());
        for (cells, place) in written.values.iter().zip(0..) {
            if cells.len() != columns.len() {
                return wrong(format!("a value has {} cells", cells.len()));
            }
            let mut value = Vec::new();
            for (&cell, &column) in cells.iter().zip(columns) {
                value.push(tables.number(column, cell)?);
            }
            if places.insert(value.clone(), place).is_some() {
                return wrong("a level has a value twice");
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
                return wrong("a node leads nowhere, or where nothing is");
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
            numbers[place] = change.of(numbers[place]);
        }
        self.places.get(&numbers).copied().unwrap_or(NOWHERE)
    }

    /// Whether a relation says nothing about this level: everything is possible, and stays.
    pub(crate) fn is_idle(&self, relation: &Relation) -> bool {
        relation.len() == self.used.len() && relation.iter().all(|(value, after)| value == after)
    }
}

/// What cells stand for.
struct Columns {
    tables: Tables,
    /// The values of shared variables.
    cells: Vec<u64>,
    /// How many of them there are, each for itself; without any, the store stands in one piece.
    n_cells: Option<usize>,
}

impl Columns {
    fn read(system: &mut System, diagram: &DiagramSet, initial: &Config) -> Checked<Self> {
        let set = &diagram.set;
        if set.locals.len() < initial.locals.len() || set.n_queues < initial.words.len() {
            return wrong("the diagram has other machines or queues than the model");
        }
        let tables = Tables::read(system, set)?;
        let n_cells = system.program().outline().n_cells;
        let cells = match n_cells {
            None => tables.stores.iter().flat_map(|&store| system.cells(store)).collect(),
            Some(_) => diagram.numbers.clone(),
        };
        let cells = cells.into_iter().map(cell_number).collect();
        Ok(Self { tables, cells, n_cells })
    }

    /// What stands in a column of a row: machines, queues, the store, the holder, and then shared variables.
    fn column(&self, column: usize) -> Checked<Column> {
        let queues = self.tables.locals.len();
        let store = queues + self.tables.n_queues;
        match (column, self.n_cells) {
            _ if column < queues => Ok(Column::Machine(MachineId::new(column))),
            _ if column < store => Ok(Column::Queue(QueueId::new(column - queues))),
            _ if column == store + 1 => Ok(Column::Holder),
            (_, None) if column == store => Ok(Column::Cell(CellId::from_raw(0))),
            (_, Some(n)) if (store + 2..store + 2 + n).contains(&column) => {
                Ok(Column::Cell(CellId::new(column - store - 2)))
            }
            _ => wrong(format!("there is no column {column}")),
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
                let local = self.tables.locals[machine.index()].get(place);
                local.map(|local| u64::from(local.raw()))
            }
            Column::Queue(_) => {
                self.tables.contents.get(place).map(|&(word, kind)| queue_number(word, kind))
            }
            Column::Cell(_) => self.cells.get(place).copied(),
            Column::Holder => (place < self.tables.locals.len()).then_some(u64::from(cell)),
        };
        Ok(number.ok_or_else(|| format!("there is no cell {cell} for its column"))?)
    }
}
