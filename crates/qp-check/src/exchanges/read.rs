//! Reads the tables and rows of evidence.

use std::collections::BTreeSet;

use qp_claim::{ABSENT, ClosedSet};
use qp_claim::{Book as BookRow, Single as SingleRow, Waiting as WaitingRow, Watch as WatchRow};
use qp_machines::{Config, KindId, MachineId, MessageId, System, WordId};

use crate::exchanges::books::{After, Book, Waiting};
use crate::exchanges::single::{State, Watched};
use crate::exchanges::upto::Shelf;
use crate::exchanges::watches::Watch;
use crate::exchanges::{Checked, wrong};

/// The tables of a set.
pub(crate) struct Tables {
    messages: Vec<MessageId>,
    n_rows: usize,
    n_queues: usize,
}

impl Tables {
    /// Reads the tables, and the vectors.
    pub(crate) fn read(system: &mut System, set: &ClosedSet) -> Checked<(Self, Vec<Config>)> {
        let rows = vectors(system, set)?;
        let program = system.program_mut();
        let messages = table(&set.messages, |text| program.message_from_text(text))?;
        let n_queues = rows.first().map_or(0, |row| row.words.len());
        Ok((Self { messages, n_rows: rows.len(), n_queues }, rows))
    }

    /// Rows with one message a round.
    pub(crate) fn singles(&self, rows: &[SingleRow]) -> Checked<BTreeSet<State>> {
        let mut all = BTreeSet::new();
        for row in rows {
            if row.heads.len() != self.n_queues {
                return wrong("a row does not have one head for each queue");
            }
            let head = |&cell: &u32| {
                if cell == ABSENT { Ok(None) } else { self.message(cell).map(Some) }
            };
            let watched = |it: qp_claim::Watched| {
                Ok(Watched { queue: self.queue(it.queue)?, acted: it.acted, into: it.into })
            };
            all.insert(State {
                row: self.row(row.locals)?,
                heads: row.heads.iter().map(head).collect::<Checked<_>>()?,
                watched: row.watched.map(watched).transpose()?,
            });
        }
        Ok(all)
    }

    /// Books and watches.
    pub(crate) fn shelf(&self, books: &[BookRow], watches: &[WatchRow]) -> Checked<Shelf> {
        let mut read = Vec::new();
        for book in books {
            let waiting = book.waiting.iter().map(|it| self.waiting(it));
            let mut waiting: Vec<Waiting> = waiting.collect::<Checked<_>>()?;
            waiting.sort_unstable();
            read.push(Book { row: self.row(book.locals)?, waiting });
        }
        let mut shelf: Shelf = read.iter().map(|book| (book.clone(), BTreeSet::new())).collect();
        for row in watches {
            let book = read.get(row.book as usize).and_then(|book| shelf.get_mut(book));
            let Some(book) = book else { return wrong("a watch is of no book") };
            book.insert(self.watch(row)?);
        }
        Ok(shelf)
    }

    fn waiting(&self, row: &WaitingRow) -> Checked<Waiting> {
        let heads = row.heads.iter().map(|&cell| self.message(cell));
        let mut heads: Vec<MessageId> = heads.collect::<Checked<_>>()?;
        heads.sort_unstable();
        heads.dedup();
        let after = After { senders: row.senders, receivers: row.receivers };
        Ok(Waiting { queue: self.queue(row.queue)?, after, heads })
    }

    fn watch(&self, row: &WatchRow) -> Checked<Watch> {
        Ok(Watch {
            queue: self.queue(row.queue)?,
            message: self.message(row.message)?,
            sent: row.sent,
            received: row.received,
            crossed: row.crossed,
            toward: row.toward,
            count: row.count,
            after: After { senders: row.senders, receivers: row.receivers },
        })
    }

    fn message(&self, cell: u32) -> Checked<MessageId> {
        value(&self.messages, cell)
    }

    fn row(&self, row: u32) -> Checked<usize> {
        within(row, self.n_rows)
    }

    fn queue(&self, queue: u32) -> Checked<usize> {
        within(queue, self.n_queues)
    }
}

/// The vectors: rows with empty queues and the store of the beginning, in which nobody goes on alone.
fn vectors(system: &mut System, set: &ClosedSet) -> Checked<Vec<Config>> {
    let (initial, mut locals) = (system.initial(), Vec::new());
    let kinds = system.program().outline().kinds.len();
    let stores = table(&set.stores, |text| system.store_from_text(text))?;
    let program = system.program_mut();
    for (machine, texts) in set.locals.iter().enumerate() {
        let local = |text: &str| program.local_from_text(MachineId::new(machine), text);
        locals.push(table(texts, local)?);
    }
    let is_empty = |content: &qp_claim::Content| content.messages.as_deref() == Some(&[]);
    let kind = |&cell: &u32| match set.contents.get(cell as usize) {
        Some(it) if is_empty(it) && (it.kind as usize) < kinds => Ok(KindId::from_raw(it.kind)),
        _ => wrong("a queue is not empty between rounds"),
    };
    let mut rows = Vec::new();
    for row in set.rows() {
        let (machines, rest) = row.split_at(locals.len());
        let (queues, rest) = rest.split_at(set.n_queues);
        if rest[1] != ABSENT || value(&stores, rest[0])? != initial.store {
            return wrong("in a row, a machine goes on alone or the store is another");
        }
        let mut config = initial.clone();
        let cells = present(machines)?.iter().zip(&locals);
        config.locals = cells.map(|(&cell, of)| value(of, cell)).collect::<Checked<_>>()?;
        config.kinds = present(queues)?.iter().map(kind).collect::<Checked<_>>()?;
        config.words = vec![WordId::EMPTY; config.kinds.len()];
        rows.push(config);
    }
    Ok(rows)
}

/// What the texts of a table name.
fn table<T>(texts: &[String], mut of: impl FnMut(&str) -> Option<T>) -> Checked<Vec<T>> {
    let mut read = |text: &String| of(text).map_or_else(|| wrong(format!("no {text:?}")), Ok);
    texts.iter().map(&mut read).collect()
}

fn value<T: Copy>(table: &[T], cell: u32) -> Checked<T> {
    Ok(table[within(cell, table.len())?])
}

fn within(number: u32, n: usize) -> Checked<usize> {
    let number = number as usize;
    if number < n { Ok(number) } else { wrong(format!("there is no entry {number}")) }
}

/// The cells of what exists.
fn present(cells: &[u32]) -> Checked<&[u32]> {
    let n = cells.iter().position(|&cell| cell == ABSENT).unwrap_or(cells.len());
    let (present, absent) = cells.split_at(n);
    if absent.iter().any(|&cell| cell != ABSENT) { wrong("a row has a gap") } else { Ok(present) }
}
