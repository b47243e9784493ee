//! What certificates of kind `exchange` have besides their rows.

use serde::{Deserialize, Serialize};

use crate::{Book, ClosedSet, ExchangeSet, Rounds, Single, Waiting, Watch, Watched};

use super::{FileError, cell, raw_cell};

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum RawRounds {
    Single(Vec<RawSingle>),
    UpTo { sends: u32, books: Vec<RawBook>, watches: Vec<RawWatch> },
}

/// A row of the set, the head of each queue (-1 for none), and what is watched: queue, acted, into.
type RawSingle = (u32, Vec<i64>, Option<(u32, u64, u64)>);

/// A row of the set, and the queues in which something waits.
type RawBook = (u32, Vec<RawWaiting>);

/// Queue, senders, receivers, heads.
type RawWaiting = (u32, u64, u64, Vec<u32>);

#[derive(Serialize, Deserialize)]
pub(super) struct RawWatch {
    book: u32,
    queue: u32,
    message: u32,
    sent: u64,
    received: u64,
    crossed: u64,
    toward: u64,
    count: u32,
    senders: u64,
    receivers: u64,
}

pub(super) fn raw(rounds: &Rounds) -> RawRounds {
    match rounds {
        Rounds::Single(rows) => RawRounds::Single(rows.iter().map(raw_single).collect()),
        Rounds::UpTo { sends, books, watches } => RawRounds::UpTo {
            sends: *sends,
            books: books.iter().map(raw_book).collect(),
            watches: watches.iter().map(raw_watch).collect(),
        },
    }
}

pub(super) fn exchange(raw: RawRounds, set: ClosedSet) -> Result<ExchangeSet, FileError> {
    let rounds = match raw {
        RawRounds::Single(rows) => {
            let rows = rows.into_iter().enumerate().map(|(number, row)| single(number, row));
            Rounds::Single(rows.collect::<Result<_, _>>()?)
        }
        RawRounds::UpTo { sends, books, watches } => Rounds::UpTo {
            sends,
            books: books.into_iter().map(book).collect(),
            watches: watches.iter().map(watch).collect(),
        },
    };
    Ok(ExchangeSet { set, rounds })
}

fn raw_single(row: &Single) -> RawSingle {
    let watched = row.watched.map(|Watched { queue, acted, into }| (queue, acted, into));
    (row.locals, row.heads.iter().copied().map(raw_cell).collect(), watched)
}

fn single(number: usize, (locals, heads, watched): RawSingle) -> Result<Single, FileError> {
    let head = |raw| {
        let bad = || FileError(format!("row {number} of `single` has the head {raw}"));
        cell(raw).ok_or_else(bad)
    };
    Ok(Single {
        locals,
        heads: heads.into_iter().map(head).collect::<Result<_, _>>()?,
        watched: watched.map(|(queue, acted, into)| Watched { queue, acted, into }),
    })
}

fn raw_book(book: &Book) -> RawBook {
    let waiting = |it: &Waiting| (it.queue, it.senders, it.receivers, it.heads.clone());
    (book.locals, book.waiting.iter().map(waiting).collect())
}

fn book((locals, waiting): RawBook) -> Book {
    let one = |(queue, senders, receivers, heads)| Waiting { queue, senders, receivers, heads };
    Book { locals, waiting: waiting.into_iter().map(one).collect() }
}

fn raw_watch(watch: &Watch) -> RawWatch {
    RawWatch {
        book: watch.book,
        queue: watch.queue,
        message: watch.message,
        sent: watch.sent,
        received: watch.received,
        crossed: watch.crossed,
        toward: watch.toward,
        count: watch.count,
        senders: watch.senders,
        receivers: watch.receivers,
    }
}

fn watch(raw: &RawWatch) -> Watch {
    Watch {
        book: raw.book,
        queue: raw.queue,
        message: raw.message,
        sent: raw.sent,
        received: raw.received,
        crossed: raw.crossed,
        toward: raw.toward,
        count: raw.count,
        senders: raw.senders,
        receivers: raw.receivers,
    }
}
