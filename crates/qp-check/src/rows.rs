//! Closed sets: that they say something, contain the beginning, and are closed under every step.

use qp_base::Map;
use qp_claim::{ABSENT, ClosedSet};
use qp_machines::{
    Config, Event, KindId, LocalId, MachineId, QueueId, Step, StoreId, System, WordId,
};

use crate::{Rejected, tables};

/// A closed set that was checked, with the tables to translate its rows.
pub(crate) struct Rows {
    locals: Vec<Table<LocalId>>,
    contents: Table<(WordId, KindId)>,
    stores: Table<StoreId>,
    /// The place of each row.
    places: Map<Box<[u32]>, u32>,
    n_queues: usize,
    /// The steps of all rows, in order: working them out is most of the work, so it is done once.
    edges: Vec<Edge>,
    /// The steps of row `i` are `edges[starts[i]..starts[i + 1]]`.
    starts: Vec<usize>,
    /// For each queue: how long it gets in any row.
    longest: Vec<usize>,
}

/// Something that happens in a step of a row: turns have an edge for each thing that happens in them.
pub(crate) struct Edge {
    /// The row it leads to. A failure leads back to its own row.
    pub(crate) to: u32,
    /// The machine that moves.
    pub(crate) machine: MachineId,
    /// All machines that move in the step. Only fairness asks, so only then they are listed.
    pub(crate) others: Vec<MachineId>,
    /// What happens.
    pub(crate) event: Event,
}

impl Edge {
    /// Whether a machine moves in the step.
    pub(crate) fn moves(&self, machine: MachineId) -> bool {
        self.machine == machine || self.others.contains(&machine)
    }
}

/// Cells to numbers of the system, and back.
struct Table<T> {
    values: Vec<T>,
    cells: Map<T, u32>,
}

impl<T: Copy + Eq + std::hash::Hash> Table<T> {
    /// Two cells for one value would make two rows of one configuration.
    fn new(values: Vec<T>) -> Result<Self, Rejected> {
        let cells: Map<T, u32> =
            values.iter().zip(0..).map(|(&value, cell)| (value, cell)).collect();
        if cells.len() < values.len() {
            return Err(Rejected("a table has an entry twice".to_owned()));
        }
        Ok(Self { values, cells })
    }

    fn value(&self, cell: u32) -> Result<T, Rejected> {
        Ok(tables::value(&self.values, cell)?)
    }
}

impl Rows {
    /// Checks the set: every step from every row leads to a row, and so does the beginning. Where there is an
    /// `only`, the steps of these machines have to do.
    pub(crate) fn check<'a>(
        system: &mut System,
        set: &ClosedSet,
        only: impl Fn(usize) -> Option<&'a [MachineId]>,
    ) -> Result<Self, Rejected> {
        let mut rows = Self::read(system, set)?;
        let (mut edges, mut starts) = (Vec::new(), vec![0]);
        let mut longest = vec![0; set.n_queues];
        let fair = system.program().outline().fair;
        rows.each(set, |place, config| {
            system.go_on()?;
            for (longest, &word) in longest.iter_mut().zip(&config.words) {
                *longest = system.words().len(word).max(*longest);
            }
            let outcomes = match only(place) {
                Some(machines) => {
                    let mut all = Vec::new();
                    for &machine in machines {
                        if machine.index() >= config.locals.len() {
                            return Err(Rejected(format!("row {place} has no {machine:?}")));
                        }
                        all.extend(system.outcomes(config, machine, false));
                    }
                    all
                }
                None => system.successors(config),
            };
            for outcome in outcomes {
                let step = outcome.step;
                if matches!(outcome.event, Event::GaveUp { .. }) {
                    return Err(Rejected(format!("nobody knows what {step:?} leads to")));
                }
                let to = rows.place(&outcome.config).ok_or_else(|| leads_out(step))?;
                let others = if fair { outcome.movers() } else { Vec::new() };
                let edge = |(machine, event)| Edge { to, machine, others: others.clone(), event };
                edges.extend(outcome.happenings().map(edge));
            }
            starts.push(edges.len());
            Ok(())
        })?;
        (rows.edges, rows.starts, rows.longest) = (edges, starts, longest);
        Ok(rows)
    }

    /// Reads the set, and checks that the beginning is a row. Nothing is known of the steps yet.
    pub(crate) fn read(system: &mut System, set: &ClosedSet) -> Result<Self, Rejected> {
        let initial = system.initial();
        let mut rows = Self {
            locals: read_locals(system, set)?,
            contents: read_contents(system, set)?,
            n_queues: set.n_queues,
            stores: read_stores(system, set)?,
            places: Map::default(),
            edges: Vec::new(),
            starts: vec![0],
            longest: Vec::new(),
        };
        for (row, place) in set.rows().zip(0..) {
            rows.places.insert(row.into(), place);
        }
        if rows.place(&initial).is_none() {
            return Err(Rejected("the set does not contain the beginning".to_owned()));
        }
        Ok(rows)
    }

    /// How long a queue gets in any row, as far as there are such queues.
    pub(crate) fn longest(&self, queue: QueueId) -> usize {
        self.longest.get(queue.index()).copied().unwrap_or(0)
    }

    /// The steps of a row.
    pub(crate) fn edges(&self, place: usize) -> &[Edge] {
        &self.edges[self.starts[place]..self.starts[place + 1]]
    }

    /// Calls `f` with the place and the configuration of every row, in order.
    pub(crate) fn each(
        &self,
        set: &ClosedSet,
        mut f: impl FnMut(usize, &Config) -> Result<(), Rejected>,
    ) -> Result<(), Rejected> {
        let mut config = Config::nothing();
        set.rows().enumerate().try_for_each(|(place, row)| {
            self.translate(row, &mut config)?;
            f(place, &config)
        })
    }

    /// What queues hold in the set, and the kinds of queues that hold it.
    pub(crate) fn contents(&self) -> &[(WordId, KindId)] {
        &self.contents.values
    }

    /// The place of a configuration in the set.
    pub(crate) fn place(&self, config: &Config) -> Option<u32> {
        if config.locals.len() > self.locals.len() || config.words.len() > self.n_queues {
            return None;
        }
        let mut row = vec![ABSENT; self.locals.len() + self.n_queues + 2];
        for (machine, local) in config.locals.iter().enumerate() {
            row[machine] = *self.locals[machine].cells.get(local)?;
        }
        let (words, kinds) = (config.words.iter(), config.kinds.iter());
        for (queue, (&word, &kind)) in words.zip(kinds).enumerate() {
            row[self.locals.len() + queue] = *self.contents.cells.get(&(word, kind))?;
        }
        let last = row.len() - 2;
        row[last] = *self.stores.cells.get(&config.store)?;
        row[last + 1] = config.holder.map_or(ABSENT, MachineId::raw);
        self.places.get(&row[..]).copied()
    }

    /// Makes `config` the configuration of a row.
    fn translate(&self, row: &[u32], config: &mut Config) -> Result<(), Rejected> {
        let (locals, rest) = row.split_at(self.locals.len());
        let (contents, rest) = rest.split_at(self.n_queues);
        let (locals, contents) = (tables::present(locals)?, tables::present(contents)?);
        config.holder = match rest[1] {
            ABSENT => None,
            machine if (machine as usize) < locals.len() => Some(MachineId::from_raw(machine)),
            machine => return Err(Rejected(format!("there is no machine {machine}"))),
        };
        config.store = self.stores.value(rest[0])?;
        config.locals.clear();
        for (&cell, table) in locals.iter().zip(&self.locals) {
            config.locals.push(table.value(cell)?);
        }
        config.words.clear();
        config.kinds.clear();
        for &cell in contents {
            let (word, kind) = self.contents.value(cell)?;
            config.words.push(word);
            config.kinds.push(kind);
        }
        Ok(())
    }
}

/// The refusal of a set that a step leaves.
pub(crate) fn leads_out(step: Step) -> Rejected {
    Rejected(format!("the set is not closed: {step:?} leads out of it"))
}

fn read_locals(system: &mut System, set: &ClosedSet) -> Result<Vec<Table<LocalId>>, Rejected> {
    let mut all = Vec::new();
    for (machine, texts) in set.locals.iter().enumerate() {
        let program = system.program_mut();
        let local = |text: &str| program.local_from_text(MachineId::new(machine), text);
        all.push(Table::new(tables::read(texts, local)?)?);
    }
    Ok(all)
}

fn read_contents(
    system: &mut System,
    set: &ClosedSet,
) -> Result<Table<(WordId, KindId)>, Rejected> {
    let program = system.program_mut();
    let messages = tables::read(&set.messages, |text| program.message_from_text(text))?;
    let n_kinds = system.program().outline().kinds.len();
    let mut contents = Vec::new();
    for content in &set.contents {
        if content.kind as usize >= n_kinds {
            return Err(Rejected(format!("there is no kind of queue {}", content.kind)));
        }
        let mut word = if content.messages.is_some() { WordId::EMPTY } else { WordId::CLOSED };
        for &letter in content.messages.iter().flatten() {
            word = system.words_mut().push(word, tables::value(&messages, letter)?);
        }
        contents.push((word, KindId::from_raw(content.kind)));
    }
    Table::new(contents)
}

fn read_stores(system: &mut System, set: &ClosedSet) -> Result<Table<StoreId>, Rejected> {
    Table::new(tables::read(&set.stores, |text| system.store_from_text(text))?)
}
