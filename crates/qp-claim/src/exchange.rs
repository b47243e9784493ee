//! Sets of rounds: evidence that every run is equivalent to rounds of few sends followed by their receives.

use serde::{Deserialize, Serialize};

use crate::ClosedSet;
use crate::file::{cells, listed};

/// What can be reached in rounds, and that rounds are all there is.
///
/// Machines are numbered as in the outline, at most 64 of them; a set of machines is a word of bits, machine 0 the
/// lowest. Nothing is said about the order of messages that wait in queues but for what stands here.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ExchangeSet {
    /// The rounds.
    pub rounds: Rounds,
    /// The vectors of local states: rows in which every queue is empty and nobody holds. Its table of messages is the
    /// one that numbers of messages in rounds refer to.
    pub set: ClosedSet,
}

/// Which rounds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rounds {
    /// A message is received as soon as it is sent, or never.
    Single(Vec<Single>),
    /// Up to `sends` messages are sent; then some of them are received, and what is not is never received.
    UpTo {
        /// How many.
        sends: u32,
        /// What is reached between rounds.
        books: Vec<Book>,
        /// What a run that is not made of such rounds would have to go through.
        watches: Vec<Watch>,
    },
}

impl Default for Rounds {
    fn default() -> Self {
        Self::Single(Vec::new())
    }
}

/// What is reached when each message is received at once or never, with at most one of those watched that are not.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Deserialize)]
pub struct Single {
    /// Where machines are: a row of the set.
    pub locals: u32,
    /// For each queue, the first message that stays in it, or [`crate::ABSENT`].
    #[serde(with = "cells")]
    pub heads: Vec<u32>,
    /// The message that is watched, if one is: the head of a queue.
    pub watched: Option<Watched>,
}

/// What has happened since a message was sent that nobody has received so far.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Deserialize)]
pub struct Watched {
    /// The queue in which it is the first.
    pub queue: u32,
    /// The machines that have acted because of it.
    pub acted: u64,
    /// The machines that have received because of it, into whose mailboxes nothing else may come first.
    pub into: u64,
}

/// What is reached after some rounds.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Deserialize)]
pub struct Book {
    /// Where machines are: a row of the set.
    pub locals: u32,
    /// The queues in which messages wait that are never received, in order.
    pub waiting: Vec<Waiting>,
}

/// A queue in which messages wait that are never received. `senders` and `receivers` are used for mailboxes only.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Deserialize)]
pub struct Waiting {
    /// The queue.
    pub queue: u32,
    /// The machines that have made a send that comes after one of them, for certain.
    pub senders: u64,
    /// The machines that have received a message that was sent after one of them, for certain.
    pub receivers: u64,
    /// The messages that may be the first, in order.
    pub heads: Vec<u32>,
}

/// What is reached after some rounds, with one of the messages that wait marked as one that is received in the end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Watch {
    /// What is reached: one of the books.
    pub book: u32,
    /// The queue that the marked message waits in.
    pub queue: u32,
    /// The marked message.
    pub message: u32,
    /// The machines with a send of a message that depends on it.
    pub sent: u64,
    /// The machines with a receive of a message that depends on it.
    pub received: u64,
    /// The machines with an action of a message that depends on it by way of a receive before a send.
    pub crossed: u64,
    /// The machines from which something still leads to whoever receives the marked message.
    pub toward: u64,
    /// How many messages would be in one component with it, up to `sends` + 1.
    pub count: u32,
    /// For mailboxes: the machines that have made a send that comes after it.
    pub senders: u64,
    /// For mailboxes: the machines that have received a message that was sent after it.
    pub receivers: u64,
}

listed!(Watched: queue, acted, into);
listed!(Book: locals, waiting);
listed!(Waiting: queue, senders, receivers, heads);

impl Serialize for Single {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        (self.locals, cells::Raw(&self.heads), self.watched).serialize(to)
    }
}
