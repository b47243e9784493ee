//! Whether rounds of a few messages are all there is.
//!
//! A shortest chart that is not made of such rounds ends with the receive of a message that was left over. So each
//! message that is left over is watched: who acts because of it, from where something still leads to its receiver,
//! which is guessed and checked as it comes, and how many messages lie between.

use std::sync::Arc;

use qp_base::Map;
use qp_machines::{MachineId, MessageId, QueueId};

use crate::trail::Trail;

use super::books::{BookId, Books, Leap, StaysId};
use super::deeds::{Chart, Deed, Does};
use super::exchanges::ShapeId;
use super::manners::Manner;
use super::shape::{Messages, Nodes};
use super::world::{Machines, Stop, World, bit};

/// What is known about a message that was left over and is marked as one that is received in the end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Mark {
    pub(super) queue: QueueId,
    pub(super) message: MessageId,
    /// The machines with a send of a message that conflicts lead to.
    pub(super) sent: Machines,
    /// The machines with a receive of such a message.
    pub(super) received: Machines,
    /// The machines that act for a message to which conflicts lead over a receive before a send.
    pub(super) crossed: Machines,
    /// The machines from which something still leads to the receiver: a guess.
    pub(super) toward: Machines,
    /// How many messages are between, up to one more than a round has.
    pub(super) count: u32,
    /// For mailboxes: the machines that have made a send that comes after it.
    pub(super) senders: Machines,
    /// For mailboxes: the machines that have received a message that was sent after it.
    pub(super) receivers: Machines,
}

/// Everything that is reached with a message marked.
pub(super) struct Watches {
    /// With how each was met first: which message of which exchange was marked, and what came then.
    pub(super) rows: Trail<usize, (BookId, Mark), Leap, (BookId, Leap, usize)>,
    /// What the guess can become in an exchange, and which messages lead to it then.
    guesses: Map<(ShapeId, Machines, MachineId), Guesses>,
    pub(super) found: Vec<Late>,
}

/// A message that is received although rounds of so many messages do not allow it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Late {
    /// The watch.
    pub(super) at: usize,
    /// Whether no number of messages would be enough.
    pub(super) never: bool,
}

/// Smaller guesses, and the messages of an exchange that lead to them.
type Guesses = Arc<[(Machines, Messages)]>;

impl Watches {
    /// Watches every message that is left over.
    pub(super) fn of(world: &mut World, books: &Books, max: usize) -> Result<Self, Stop> {
        let mut all = Self { rows: Trail::new(), guesses: Map::default(), found: Vec::new() };
        for from in 0..books.leaps.len() {
            world.pay(books.rows.len() + all.rows.len(), all.rows.len(), max)?;
            for &(leap, to) in &books.leaps[from] {
                all.begin(world, books, BookId::new(from), leap, to);
            }
        }
        let mut next = 0;
        while next < all.rows.len() {
            world.pay(books.rows.len() + all.rows.len(), all.rows.len(), max)?;
            all.look(world, books, next)?;
            all.go_on(world, books, next);
            next += 1;
        }
        Ok(all)
    }

    /// Marks each message of an exchange that could be the next to be received.
    fn begin(&mut self, world: &World, books: &Books, from: BookId, leap: Leap, to: BookId) {
        let Leap::Exchange(exchange) = leap else { return };
        let (vector, stays) = *books.rows.value(from);
        let shape = &books.exchanges.looks[exchange.shape];
        let everybody = match world.n_machines(vector) {
            64 => Machines::MAX,
            n => (1 << n) - 1,
        };
        for (place, node) in shape.nodes.iter().enumerate() {
            let Some(message) = node.message else { continue };
            let Some(reader) = world.manners.reader(node.queue) else { continue };
            let Some((senders, receivers)) = followers(world, books, stays, exchange.shape, place)
            else {
                continue;
            };
            let reached = node.after;
            for toward in subsets(everybody & !bit(reader)).map(|set| set | bit(reader)) {
                let between = reached & shape.toward(toward) | 1 << place;
                let mark = Mark {
                    queue: node.queue,
                    message,
                    sent: shape.senders(reached),
                    received: shape.takers(reached),
                    crossed: 0,
                    toward,
                    count: between.count_ones().min(books.exchanges.sends + 1),
                    senders,
                    receivers,
                };
                self.rows.begin((to, mark), (from, leap, place));
            }
        }
    }

    /// Whether the marked message can be received now, and should not.
    fn look(&mut self, world: &mut World, books: &Books, at: usize) -> Result<(), Stop> {
        let (book, mark) = *self.rows.value(at);
        let Some(reader) = world.manners.reader(mark.queue).map(bit) else { return Ok(()) };
        let never = mark.crossed & reader != 0;
        if mark.toward != reader || !never && mark.count <= books.exchanges.sends {
            return Ok(());
        }
        let (vector, _) = *books.rows.value(book);
        if !world.reader_hears(vector, mark.queue, mark.message)?.takes.is_empty() {
            self.found.push(Late { at, never });
        }
        Ok(())
    }

    fn go_on(&mut self, world: &World, books: &Books, at: usize) {
        let (book, mark) = *self.rows.value(at);
        let (_, stays) = *books.rows.value(book);
        for &(leap, to) in &books.leaps[book.index()] {
            let Leap::Exchange(exchange) = leap else {
                self.rows.go(at, leap, (to, mark));
                continue;
            };
            let Some(later) = later(world, books, stays, exchange.shape, mark) else { continue };
            let Some(reader) = world.manners.reader(mark.queue) else { continue };
            let shape = &books.exchanges.looks[exchange.shape];
            let acted = mark.sent | mark.received;
            let reached = shape.after(shape.which(|node| node.actors & acted != 0));
            let guesses = self.guesses(books, exchange.shape, mark.toward, reader);
            for &(toward, leading) in guesses.iter() {
                let more = (reached & leading).count_ones();
                let count = (mark.count + more).min(books.exchanges.sends + 1);
                self.rows.go(at, leap, (to, Mark { toward, count, ..later }));
            }
        }
    }

    /// Every smaller guess that comes to this one before an exchange, with the messages that lead to it.
    fn guesses(
        &mut self,
        books: &Books,
        shape: ShapeId,
        toward: Machines,
        reader: MachineId,
    ) -> Guesses {
        let look = &books.exchanges.looks[shape];
        let find = || {
            let mut guesses = Vec::new();
            for guess in subsets(toward & !bit(reader)).map(|set| set | bit(reader)) {
                let leading = look.toward(guess);
                let actors = look.each(leading).fold(guess, |all, node| all | node.actors);
                if actors == toward {
                    guesses.push((guess, leading));
                }
            }
            guesses.into()
        };
        Arc::clone(self.guesses.entry((shape, toward, reader)).or_insert_with(find))
    }

    /// Everything on the way to a watch, and then the receive of the marked message.
    pub(super) fn chart(
        &self,
        world: &mut World,
        books: &mut Books,
        end: usize,
    ) -> Result<Chart, Stop> {
        let ((&(first, begins, place), _), leaps) = self.rows.way(end);
        let mut chart = books.chart(world, first)?;
        let of = books.tell(world, (first, begins), &mut chart)?[place];
        for (from, leap) in leaps {
            books.tell(world, (self.rows.value(from).0, leap), &mut chart)?;
        }
        let (book, Mark { queue, message, .. }) = *self.rows.value(end);
        let (vector, _) = *books.rows.value(book);
        let hears = world.reader_hears(vector, queue, message)?;
        if let (Some(machine), Some(&next)) = (world.manners.reader(queue), hears.takes.first()) {
            chart.push(Deed { machine, next, does: Does::Takes { queue, message, of } });
        }
        Ok(chart)
    }
}

/// Who has done something after the message at a place of an exchange, if it is to be received next; nothing if it
/// cannot be.
fn followers(
    world: &World,
    books: &Books,
    stays: StaysId,
    shape: ShapeId,
    place: usize,
) -> Option<(Machines, Machines)> {
    let forced = books.forced(world, stays, shape);
    let node = &forced.shape.nodes[place];
    let left = forced.shape.left_over(node.queue);
    if world.manner() == Manner::Pairs {
        let is_first = left.trailing_zeros() as usize == place;
        return (is_first && !books.stays_in(stays, node.queue)).then_some((0, 0));
    }
    let others = Nodes::from(left & !(1 << place)) | forced.staying(node.queue);
    if forced.reach(others) & 1 << place != 0 {
        return None;
    }
    let (senders, receivers) = forced.collect(forced.reach(others | 1 << place));
    let reader = world.manners.reader(node.queue).map_or(0, bit);
    (receivers & reader == 0).then_some((senders, receivers))
}

/// A mark after one more exchange, but for what is guessed; nothing if the message can no longer be received next.
fn later(world: &World, books: &Books, stays: StaysId, shape: ShapeId, mark: Mark) -> Option<Mark> {
    let look = &books.exchanges.looks[shape];
    let acted = mark.sent | mark.received;
    let reached = look.after(look.which(|node| node.actors & acted != 0));
    let crosses = |node: &super::shape::Node| {
        node.actors & mark.crossed != 0 || bit(node.by) & mark.received != 0
    };
    let crossed = look.after(look.which(crosses));
    let (mut senders, mut receivers) = (0, 0);
    if world.manner() == Manner::Mailboxes {
        let forced = books.forced(world, stays, shape);
        let from = forced.following(mark.senders, mark.receivers)
            | Nodes::from(look.left_over(mark.queue))
            | forced.staying_for(mark.receivers);
        (senders, receivers) = forced.collect(forced.reach(from));
        let reader = world.manners.reader(mark.queue).map_or(0, bit);
        if (receivers | mark.receivers) & reader != 0 {
            return None;
        }
    }
    Some(Mark {
        sent: mark.sent | look.senders(reached),
        received: mark.received | look.takers(reached),
        crossed: look.each(crossed).fold(mark.crossed, |all, node| all | node.actors),
        senders: mark.senders | senders,
        receivers: mark.receivers | receivers,
        ..mark
    })
}

/// Every subset of a set.
fn subsets(set: Machines) -> impl Iterator<Item = Machines> {
    let mut next = Some(0);
    std::iter::from_fn(move || {
        let this = next?;
        next = (this != set).then(|| (this | !set).wrapping_add(1) & set);
        Some(this)
    })
}
