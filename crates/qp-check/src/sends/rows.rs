//! Reads sets of configurations.

use qp_base::Map;
use qp_claim::{ABSENT, ClosedSet};
use qp_machines::{Config, KindId, MachineId, System, WordId};

use crate::sends::{Checked, rejected};
use crate::tables::{present, read, value};

/// Configurations by number, and numbers by configuration.
pub(crate) struct Rows {
    pub(crate) configs: Vec<Config>,
    places: Map<Config, u32>,
}

impl Rows {
    pub(crate) fn read(system: &mut System, set: &ClosedSet) -> Checked<Self> {
        let mut locals = Vec::new();
        let contents = contents(system, set)?;
        let mut config = system.initial();
        let stores = read(&set.stores, |text| system.store_from_text(text))?;
        let program = system.program_mut();
        for (machine, texts) in set.locals.iter().enumerate() {
            let machine = MachineId::new(machine);
            locals.push(read(texts, |text| program.local_from_text(machine, text))?);
        }
        let mut rows = Self { configs: Vec::new(), places: Map::default() };
        for row in set.rows() {
            let (machines, rest) = row.split_at(locals.len());
            let (queues, rest) = rest.split_at(set.n_queues);
            if rest[1] != ABSENT {
                return rejected("in a row, a machine goes on alone");
            }
            config.store = value(&stores, rest[0])?;
            let cells = present(machines)?.iter().zip(&locals);
            config.locals = cells.map(|(&cell, of)| value(of, cell)).collect::<Checked<_>>()?;
            let held = present(queues)?.iter().map(|&cell| value(&contents, cell));
            let held: Vec<(WordId, KindId)> = held.collect::<Checked<_>>()?;
            (config.words, config.kinds) = held.into_iter().unzip();
            if rows.places.insert(config.clone(), rows.configs.len() as u32).is_some() {
                return rejected("a row stands twice in a set");
            }
            rows.configs.push(config.clone());
        }
        Ok(rows)
    }

    /// The number of a configuration.
    pub(crate) fn place(&self, config: &Config) -> Option<u32> {
        self.places.get(config).copied()
    }
}

fn contents(system: &mut System, set: &ClosedSet) -> Checked<Vec<(WordId, KindId)>> {
    let program = system.program_mut();
    let messages = read(&set.messages, |text| program.message_from_text(text))?;
    let n_kinds = program.outline().kinds.len();
    let mut contents = Vec::new();
    for content in &set.contents {
        if content.kind as usize >= n_kinds {
            return rejected(format!("there is no kind of queue {}", content.kind));
        }
        let mut word = if content.messages.is_some() { WordId::EMPTY } else { WordId::CLOSED };
        for &letter in content.messages.iter().flatten() {
            word = system.words_mut().push(word, value(&messages, letter)?);
        }
        contents.push((word, KindId::from_raw(content.kind)));
    }
    Ok(contents)
}
