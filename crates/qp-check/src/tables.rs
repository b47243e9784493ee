//! The tables of evidence: texts to numbers of the system, and cells to what tables have.

use std::hash::Hash;

use qp_base::Map;
use qp_claim::{ABSENT, ClosedSet};
use qp_machines::{Config, KindId, LocalId, MachineId, MessageId, StoreId, System, WordId};

use crate::{Checked, wrong};

/// What the cells of rows stand for.
pub(crate) struct Tables {
    pub(crate) locals: Vec<Vec<LocalId>>,
    pub(crate) messages: Vec<MessageId>,
    pub(crate) contents: Vec<(WordId, KindId)>,
    pub(crate) stores: Vec<StoreId>,
    pub(crate) n_queues: usize,
}

impl Tables {
    pub(crate) fn read(system: &mut System, set: &ClosedSet) -> Checked<Self> {
        let stores = read(&set.stores, |text| system.store_from_text(text))?;
        let program = system.program_mut();
        let mut locals = Vec::new();
        for (machine, texts) in set.locals.iter().enumerate() {
            let machine = MachineId::new(machine);
            locals.push(read(texts, |text| program.local_from_text(machine, text))?);
        }
        let messages = read(&set.messages, |text| program.message_from_text(text))?;
        let n_kinds = program.outline().kinds.len();
        let mut contents = Vec::new();
        for content in &set.contents {
            if content.kind as usize >= n_kinds {
                return wrong(format!("there is no kind of queue {}", content.kind));
            }
            let mut word = if content.messages.is_some() { WordId::EMPTY } else { WordId::CLOSED };
            for &letter in content.messages.iter().flatten() {
                word = system.words_mut().push(word, value(&messages, letter)?);
            }
            contents.push((word, KindId::from_raw(content.kind)));
        }
        Ok(Self { locals, messages, contents, stores, n_queues: set.n_queues })
    }

    /// The cells of queues that exist.
    pub(crate) fn queues<'a>(&self, row: &'a [u32]) -> Checked<&'a [u32]> {
        present(&row[self.locals.len()..self.locals.len() + self.n_queues])
    }

    /// Makes `config` the configuration of a row.
    pub(crate) fn translate(&self, row: &[u32], config: &mut Config) -> Checked<()> {
        let locals = present(&row[..self.locals.len()])?;
        let rest = &row[self.locals.len() + self.n_queues..];
        config.holder = match rest[1] {
            ABSENT => None,
            machine if (machine as usize) < locals.len() => Some(MachineId::from_raw(machine)),
            _ => return wrong("in a row, a machine goes on alone that does not exist"),
        };
        config.store = value(&self.stores, rest[0])?;
        config.locals.clear();
        for (&cell, table) in locals.iter().zip(&self.locals) {
            config.locals.push(value(table, cell)?);
        }
        config.words.clear();
        config.kinds.clear();
        for &cell in self.queues(row)? {
            let (word, kind) = value(&self.contents, cell)?;
            config.words.push(word);
            config.kinds.push(kind);
        }
        Ok(())
    }
}

/// What the texts of a table name.
pub(crate) fn read<T>(texts: &[String], mut of: impl FnMut(&str) -> Option<T>) -> Checked<Vec<T>> {
    let mut read = |text: &String| of(text).ok_or_else(|| format!("there is no {text:?}").into());
    texts.iter().map(&mut read).collect()
}

/// What stands in a table at the place that a cell names.
pub(crate) fn value<T: Clone>(table: &[T], cell: u32) -> Checked<T> {
    let value = table.get(cell as usize).cloned();
    value.ok_or_else(|| format!("there is a cell or letter {cell}, which no table has").into())
}

/// The cell of each value. Two cells for one value would make two rows of one configuration.
pub(crate) fn cells<T: Copy + Eq + Hash>(values: &[T]) -> Checked<Map<T, u32>> {
    let cells: Map<T, u32> = values.iter().copied().zip(0..).collect();
    if cells.len() < values.len() { wrong("a table has an entry twice") } else { Ok(cells) }
}

/// The cells of what exists: machines and queues come and go at the end of the list only.
fn present(cells: &[u32]) -> Checked<&[u32]> {
    let n = cells.iter().position(|&cell| cell == ABSENT).unwrap_or(cells.len());
    let (present, absent) = cells.split_at(n);
    if absent.iter().any(|&cell| cell != ABSENT) { wrong("a row has a gap") } else { Ok(present) }
}
