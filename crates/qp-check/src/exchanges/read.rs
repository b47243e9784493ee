//! Reads the vectors of evidence, and what refers to them.

use std::collections::BTreeSet;

use qp_claim::{ABSENT, ClosedSet};
use qp_claim::{Book as BookRow, Single as SingleRow, Waiting as WaitingRow, Watch as WatchRow};
use qp_machines::{Config, MessageId, System, WordId};

use crate::exchanges::books::{After, Book, Waiting};
use crate::exchanges::single::{State, Watched};
use crate::exchanges::upto::Shelf;
use crate::exchanges::watches::Watch;
use crate::tables::{Tables, value};
use crate::{Checked, wrong};

/// The vectors of a set, and what its messages stand for.
pub(crate) struct Vectors {
    /// Rows with empty queues and the store of the beginning, in which nobody goes on alone.
    pub(crate) rows: Vec<Config>,
    messages: Vec<MessageId>,
    n_queues: usize,
}

impl Vectors {
    pub(crate) fn read(system: &mut System, set: &ClosedSet) -> Checked<Self> {
        let (initial, tables) = (system.initial(), Tables::read(system, set)?);
        let (mut rows, mut config) = (Vec::new(), initial.clone());
        for row in set.rows() {
            tables.translate(row, &mut config)?;
            if config.holder.is_some() || config.store != initial.store {
                return wrong("in a row, a machine goes on alone or the store is another");
            }
            if config.words.iter().any(|&word| word != WordId::EMPTY) {
                return wrong("a queue is not empty between rounds");
            }
            rows.push(config.clone());
        }
        let n_queues = rows.first().map_or(0, |row| row.words.len());
        Ok(Self { rows, messages: tables.messages, n_queues })
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
                Checked::Ok(Watched {
                    queue: self.queue(it.queue)?,
                    acted: it.acted,
                    into: it.into,
                })
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
        within(row, self.rows.len())
    }

    fn queue(&self, queue: u32) -> Checked<usize> {
        within(queue, self.n_queues)
    }
}

fn within(number: u32, n: usize) -> Checked<usize> {
    let number = number as usize;
    if number < n { Ok(number) } else { wrong(format!("there is no entry {number}")) }
}
