//! Reads the levels of a diagram.

use std::collections::{BTreeMap, BTreeSet};

use qp_claim::{ABSENT, ClosedSet, Content, DiagramSet, Level as Written};
use qp_machines::{Config, KindId, LocalId, MachineId, QueueId, StoreId, System, WordId};

use crate::Checked;
use crate::rules::Relation;

/// More levels would need a deeper stack than a thread has.
const LEVELS_MAX: usize = 1_000;

/// In place of the store, where machines do not look at it: the same for all stores.
pub(crate) const ANY_STORE: StoreId = StoreId::from_raw(u32::MAX);

/// The levels, with numbers of the system in place of cells.
pub(crate) struct Levels {
    pub(crate) all: Vec<Level>,
    /// Where each machine and each queue stands.
    pub(crate) machines: BTreeMap<MachineId, usize>,
    queues: BTreeMap<QueueId, usize>,
    /// Where the store stands.
    pub(crate) store: usize,
    /// A configuration in which everything exists that ever does: stands in for what does not matter.
    pub(crate) whole: Config,
    /// How many machines there are at the beginning.
    pub(crate) n_initial: usize,
    /// How many queues there are, by the number of machines that were created.
    n_queues: Vec<usize>,
}

/// One level.
pub(crate) struct Level {
    columns: Vec<Column>,
    /// For each value: a number of the system for each column.
    values: Vec<Vec<u32>>,
    /// The value with these numbers.
    places: BTreeMap<Vec<u32>, u32>,
    /// The value that says that the machine does not exist yet, nor do its queues.
    pub(crate) absent: Option<u32>,
    /// For each node: where each of its values leads.
    pub(crate) nodes: Vec<BTreeMap<u32, u32>>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Column {
    Machine(MachineId),
    Queue(QueueId),
    Store,
}

impl Levels {
    /// Reads a diagram: every column of a configuration stands somewhere, once, and every node leads on.
    pub(crate) fn read(system: &mut System, diagram: &DiagramSet) -> Checked<Self> {
        let initial = system.initial();
        let mut tables = Tables::read(system, &diagram.set, &initial)?;
        let (mut all, mut machines, mut queues) = (Vec::new(), BTreeMap::new(), BTreeMap::new());
        let mut store = None;
        for (number, written) in diagram.levels.iter().enumerate() {
            let next = diagram.levels.get(number + 1).map_or(1, |next| next.nodes.len());
            let level = Level::read(written, &mut tables, next)?;
            for &column in &level.columns {
                let twice = match column {
                    Column::Machine(machine) => machines.insert(machine, number).is_some(),
                    Column::Queue(queue) => queues.insert(queue, number).is_some(),
                    Column::Store => store.replace(number).is_some() || level.columns.len() > 1,
                };
                if twice {
                    return Err("a column stands twice, or a machine beside the store".into());
                }
            }
            all.push(level);
        }
        if machines.len() < diagram.set.locals.len() || queues.len() < diagram.set.n_queues {
            return Err("a machine or a queue stands nowhere".into());
        }
        if all.first().is_none_or(|first| first.nodes.len() != 1) || all.len() > LEVELS_MAX {
            return Err("there are too many levels, or the first one does not have one node".into());
        }
        // A store that is left out never changes: behind the last level there is one more.
        let store = store.unwrap_or_else(|| {
            all.push(Level::of_store(initial.store));
            all.len() - 1
        });
        let (n_initial, n_queues) = (initial.locals.len(), vec![initial.words.len()]);
        let watched = system.program().outline().store_is_watched;
        let whole = Config { store: if watched { ANY_STORE } else { initial.store }, ..initial };
        let mut levels = Self { all, machines, queues, store, whole, n_initial, n_queues };
        levels.read_created(&tables)?;
        Ok(levels)
    }

    /// Every machine that is created has a level of its own with its queues, which follow those of the one before.
    fn read_created(&mut self, tables: &Tables) -> Checked<()> {
        for number in self.n_initial..tables.locals.len() {
            let machine = MachineId::new(number);
            let level = &self.all[self.machines[&machine]];
            let mut columns = level.columns.clone();
            columns.sort_unstable();
            let first = self.whole.words.len();
            let queues = (first..).map(|queue| Column::Queue(QueueId::new(queue)));
            let expected = [Column::Machine(machine)].into_iter().chain(queues);
            if !columns.iter().copied().eq(expected.take(columns.len())) {
                return Err("a created machine does not stand with its queues".into());
            }
            self.whole.locals.push(LocalId::from_raw(0));
            for kind in &tables.kinds[first..first + columns.len() - 1] {
                self.whole.kinds.push(kind.unwrap_or(KindId::from_raw(0)));
                self.whole.words.push(WordId::EMPTY);
            }
            self.n_queues.push(self.whole.words.len());
            if let Some(&value) = level.present().first() {
                level.put(&mut self.whole, value);
            }
        }
        if self.whole.words.len() != tables.kinds.len() {
            return Err("a created queue does not stand with its machine".into());
        }
        Ok(())
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

    /// Where a machine stands, if it ever exists.
    pub(crate) fn of_machine(&self, machine: MachineId) -> Option<usize> {
        self.machines.get(&machine).copied()
    }

    /// Where a queue stands, if it ever exists.
    pub(crate) fn of_queue(&self, queue: QueueId) -> Option<usize> {
        self.queues.get(&queue).copied()
    }

    /// Takes away all machines but the first ones, with their queues. All that exist at the beginning stay.
    pub(crate) fn leave(&self, config: &mut Config, n_machines: usize) {
        config.locals.truncate(n_machines);
        config.words.truncate(self.n_queues[n_machines - self.n_initial]);
        config.kinds.truncate(config.words.len());
    }

    /// Those of some values of a level with which something holds, and everything else is as in `base`.
    pub(crate) fn holding(
        &self,
        base: &Config,
        level: usize,
        mut values: BTreeSet<u32>,
        mut holds: impl FnMut(&Config) -> bool,
    ) -> Relation {
        let mut config = base.clone();
        values.retain(|&value| {
            self.all[level].put(&mut config, value);
            holds(&config)
        });
        values.into_iter().map(|value| (value, value)).collect()
    }
}

impl Level {
    /// Reads a level before one with `n_next` nodes.
    fn read(written: &Written, tables: &mut Tables, n_next: usize) -> Checked<Self> {
        let mut columns = Vec::new();
        for &column in &written.columns {
            columns.push(tables.column(column as usize)?);
        }
        let (mut values, mut places, mut absent) = (Vec::new(), BTreeMap::new(), None);
        for (cells, place) in written.values.iter().zip(0..) {
            if cells.len() != columns.len() {
                return Err(format!("a value has {} cells", cells.len()).into());
            }
            let created = |column: &Column| tables.is_created(*column);
            let (is_absent, mut value) = (cells.contains(&ABSENT), Vec::new());
            if is_absent
                && !(cells.iter().all(|cell| *cell == ABSENT) && columns.iter().all(created))
            {
                return Err("something is absent that cannot be".into());
            }
            for (&cell, &column) in cells.iter().zip(&columns).filter(|_| !is_absent) {
                value.push(tables.number(column, cell)?);
            }
            let twice = if is_absent {
                absent.replace(place).is_some()
            } else {
                places.insert(value.clone(), place).is_some()
            };
            if twice {
                return Err("a level has a value twice".into());
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
                return Err("a node leads nowhere, or where nothing is".into());
            }
            nodes.push(node);
        }
        Ok(Self { columns, values, places, absent, nodes })
    }

    /// The last level, if nothing but this store is possible.
    fn of_store(store: StoreId) -> Self {
        let values = vec![vec![store.raw()]];
        let places = BTreeMap::from([(values[0].clone(), 0)]);
        let nodes = vec![BTreeMap::from([(0, 0)])];
        Self { columns: vec![Column::Store], values, places, absent: None, nodes }
    }

    /// The values that stand in some node.
    pub(crate) fn used(&self) -> BTreeSet<u32> {
        self.nodes.iter().flat_map(|node| node.keys().copied()).collect()
    }

    /// The same without the one that says that nothing is there.
    pub(crate) fn present(&self) -> BTreeSet<u32> {
        self.used().into_iter().filter(|value| Some(*value) != self.absent).collect()
    }

    /// Makes the columns of a configuration in which everything exists those of a value. A queue that does not exist is
    /// like a closed one.
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
        for column in self.columns.iter().filter(|_| Some(value) == self.absent) {
            if let Column::Queue(queue) = column {
                config.words[queue.index()] = WordId::CLOSED;
            }
        }
    }

    /// The value that a configuration has here, if it is listed.
    pub(crate) fn value(&self, config: &Config) -> Option<u32> {
        let mut numbers = Vec::new();
        for &column in &self.columns {
            numbers.push(match column {
                Column::Machine(machine) => match config.locals.get(machine.index()) {
                    Some(local) => local.raw(),
                    None => return self.absent,
                },
                Column::Queue(queue) => config.word(queue).raw(),
                Column::Store => config.store.raw(),
            });
        }
        self.places.get(&numbers).copied()
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
    contents: Vec<(WordId, KindId)>,
    stores: Vec<StoreId>,
    /// The kind of each queue: those at the beginning have one, others get that of their first content.
    kinds: Vec<Option<KindId>>,
    n_initial: (usize, usize),
}

impl Tables {
    fn read(system: &mut System, set: &ClosedSet, initial: &Config) -> Checked<Self> {
        let n_initial = (initial.locals.len(), initial.words.len());
        if set.locals.len() < n_initial.0 || set.n_queues < n_initial.1 {
            return Err("the diagram has other machines or queues than the model".into());
        }
        let n_kinds = system.program().outline().kinds.len();
        let (program, words) = system.program_and_words();
        let mut locals = Vec::new();
        for (machine, texts) in set.locals.iter().enumerate() {
            let local = |text: &str| program.local_from_text(MachineId::new(machine), text);
            locals.push(named(texts, local)?);
        }
        let messages = named(&set.messages, |text| program.message_from_text(text))?;
        let stores = named(&set.stores, |text| program.store_from_text(text))?;
        let mut contents = Vec::new();
        for Content { kind, messages: held } in &set.contents {
            if *kind as usize >= n_kinds {
                return Err(format!("there is no kind of queue {kind}").into());
            }
            let mut word = if held.is_some() { WordId::EMPTY } else { WordId::CLOSED };
            for &letter in held.iter().flatten() {
                let message = messages.get(letter as usize);
                word = words.push(word, *message.ok_or("a content has an unknown message")?);
            }
            contents.push((word, KindId::from_raw(*kind)));
        }
        let mut kinds: Vec<_> = initial.kinds.iter().copied().map(Some).collect();
        kinds.resize(set.n_queues, None);
        Ok(Self { locals, contents, stores, kinds, n_initial })
    }

    fn column(&self, column: usize) -> Checked<Column> {
        let n_machines = self.locals.len();
        match column.checked_sub(n_machines) {
            None => Ok(Column::Machine(MachineId::new(column))),
            Some(queue) if queue < self.kinds.len() => Ok(Column::Queue(QueueId::new(queue))),
            Some(store) if store == self.kinds.len() => Ok(Column::Store),
            Some(_) => Err(format!("there is no column {column}").into()),
        }
    }

    /// Whether something is not there from the beginning.
    fn is_created(&self, column: Column) -> bool {
        match column {
            Column::Machine(machine) => machine.index() >= self.n_initial.0,
            Column::Queue(queue) => queue.index() >= self.n_initial.1,
            Column::Store => false,
        }
    }

    /// The number of the system that a cell stands for. Queues keep the kind that they begin with.
    fn number(&mut self, column: Column, cell: u32) -> Checked<u32> {
        let cell = cell as usize;
        let number = match column {
            Column::Machine(machine) => self.locals[machine.index()].get(cell).map(|it| it.raw()),
            Column::Queue(queue) => {
                let kind = &mut self.kinds[queue.index()];
                let content = self.contents.get(cell);
                let content = content.filter(|it| *kind.get_or_insert(it.1) == it.1);
                content.map(|content| content.0.raw())
            }
            Column::Store => self.stores.get(cell).map(|it| it.raw()),
        };
        Ok(number.ok_or_else(|| format!("there is no cell {cell} for its column"))?)
    }
}
