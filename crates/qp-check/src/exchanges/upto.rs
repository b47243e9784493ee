//! Rounds of several messages: the sets of books and watches.

use std::collections::{BTreeMap, BTreeSet};

use qp_machines::Config;

use crate::exchanges::books::{Book, Order};
use crate::exchanges::peers::Peers;
use crate::exchanges::rounds::{Round, rounds};
use crate::exchanges::watches::Watch;
use crate::exchanges::{Spot, bit, has};
use crate::{Checked, Refusal, wrong};

/// More machines have more sets of machines than anybody lists.
const MACHINES_MAX: usize = 20;

/// Larger rounds are not enumerated.
const SENDS_MAX: u32 = 32;

/// Books, each with the watches that have it.
pub(crate) type Shelf = BTreeMap<Book, BTreeSet<Watch>>;

/// Checks that both sets contain the beginnings, are closed, and have no violation.
pub(crate) fn check(
    peers: &mut Peers<'_>,
    beginnings: &BTreeSet<Config>,
    sends: u32,
    shelf: &Shelf,
) -> Checked<BTreeSet<Spot>> {
    if sends == 0 {
        return wrong("rounds without messages");
    }
    // Sets of machines are guessed, and rounds enumerated.
    if sends > SENDS_MAX || peers.rows.iter().any(|row| row.locals.len() > MACHINES_MAX) {
        return Err(Refusal::TooLarge);
    }
    for config in beginnings {
        let book = Book { row: peers.find(config)?, waiting: Vec::new() };
        if !shelf.contains_key(&book) {
            return wrong("a beginning is missing");
        }
    }
    let mut rows: BTreeMap<usize, Vec<&Book>> = BTreeMap::new();
    for (book, watches) in shelf {
        rows.entry(book.row).or_default().push(book);
        for watch in watches {
            check_watch(peers, book, watch, sends)?;
        }
    }
    for (row, books) in rows {
        let config = peers.rows[row].clone();
        let rounds = rounds(peers, &config, sends)?;
        for book in books {
            check_internal(peers, shelf, book)?;
            for round in &rounds {
                check_round(peers, shelf, book, round, sends)?;
            }
        }
    }
    let heads = |book: &Book| {
        let heads = book.waiting.iter().map(|it| (it.queue, it.heads.clone()));
        Spot { row: book.row, heads: heads.collect() }
    };
    Ok(shelf.keys().map(heads).collect())
}

/// Checks that a watch makes sense and is no violation.
fn check_watch(peers: &mut Peers<'_>, book: &Book, watch: &Watch, sends: u32) -> Checked<()> {
    let Some(reader) = peers.readers.get(watch.queue).copied().flatten() else {
        return wrong("what is watched is in a queue that nobody reads");
    };
    let config = peers.rows[book.row].clone();
    let ends = watch.toward == bit(reader)
        && (has(watch.crossed, reader) || watch.count > sends)
        && !peers.takes(&config, watch.queue, watch.message)?.is_empty();
    if ends { wrong("a run may be made of no such rounds") } else { Ok(()) }
}

fn check_internal(peers: &mut Peers<'_>, shelf: &Shelf, book: &Book) -> Checked<()> {
    let mut after = peers.rows[book.row].clone();
    for machine in 0..after.locals.len() {
        let old = after.locals[machine];
        let acts = peers.acts(&after, machine)?;
        for &next in &acts.internals {
            after.locals[machine] = next;
            let next = Book { row: peers.find(&after)?, waiting: book.waiting.clone() };
            peers.spend(shelf[book].len())?;
            if !shelf.get(&next).is_some_and(|watches| watches.is_superset(&shelf[book])) {
                return wrong("an internal move leads out of the books or the watches");
            }
        }
        after.locals[machine] = old;
    }
    Ok(())
}

fn check_round(
    peers: &mut Peers<'_>,
    shelf: &Shelf,
    book: &Book,
    round: &Round,
    sends: u32,
) -> Checked<()> {
    let n_nodes = round.messages.len() + book.waiting.len();
    peers.spend(n_nodes * n_nodes * n_nodes)?;
    let Some(waiting) = Order::new(peers, book, round).waiting() else { return Ok(()) };
    let next = Book { row: peers.find(&round.after)?, waiting };
    let Some(watches) = shelf.get(&next) else { return wrong("a round leads out of the books") };
    for v0 in 0..round.messages.len() {
        for watch in Watch::start(&Order::new(peers, book, round), v0, sends) {
            peers.spend(n_nodes * n_nodes)?;
            if !watches.contains(&watch) {
                return wrong("a watch that begins is missing");
            }
        }
    }
    for watch in &shelf[book] {
        peers.spend((n_nodes * n_nodes) << round.messages.len().min(MACHINES_MAX))?;
        for next in watch.go_on(&Order::new(peers, book, round), sends) {
            if !watches.contains(&next) {
                return wrong("a round leads out of the watches");
            }
        }
    }
    Ok(())
}
