//! What is reached after some rounds, and what may follow.

use qp_machines::MessageId;

use crate::exchanges::peers::Peers;
use crate::exchanges::rounds::{Message, Round, reachable};
use crate::exchanges::{bit, has};

/// What is reached after some rounds.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Book {
    pub(crate) row: usize,
    /// The queues in which messages wait that are never received, in order.
    pub(crate) waiting: Vec<Waiting>,
}

/// A queue in which messages wait that are never received.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Waiting {
    pub(crate) queue: usize,
    /// Who has sent something that comes after one of them, and who has received something that was sent after.
    pub(crate) after: After,
    /// Which of them may be the first, in order.
    pub(crate) heads: Vec<MessageId>,
}

/// The machines that have sent, and those that have received, a message that must be sent after some others.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub(crate) struct After {
    pub(crate) senders: u64,
    pub(crate) receivers: u64,
}

impl After {
    /// Whether a message of a round must be sent after those others.
    fn forces(self, message: &Message) -> bool {
        has(self.senders | self.receivers, message.sender)
            || message.reader.is_some_and(|reader| has(self.receivers, reader))
    }

    /// Whether everything that waits in a queue must be sent after those others.
    fn forces_all(self, readers: &[Option<usize>], queue: usize) -> bool {
        readers[queue].is_some_and(|reader| has(self.receivers, reader))
    }
}

/// A round after a book: which messages must be sent after which others. The nodes are the messages of the round, then
/// the queues in which messages wait.
pub(crate) struct Order<'a> {
    readers: &'a [Option<usize>],
    is_mailbox: bool,
    book: &'a Book,
    pub(crate) round: &'a Round,
}

impl<'a> Order<'a> {
    pub(crate) fn new(peers: &'a Peers<'_>, book: &'a Book, round: &'a Round) -> Self {
        Self { readers: &peers.readers, is_mailbox: peers.is_mailbox, book, round }
    }

    /// The book after the round, but for its row; `None` if the round may not follow.
    pub(crate) fn waiting(&self) -> Option<Vec<Waiting>> {
        let mut all = Vec::new();
        for queue in 0..self.readers.len() {
            let old = self.book.waiting.iter().find(|waiting| waiting.queue == queue);
            if old.is_some() && !self.is_mailbox {
                let taken = |it: &Message| it.queue == queue && it.is_received();
                if self.round.messages.iter().any(taken) {
                    return None;
                }
            }
            let left = (0..self.round.messages.len()).filter(|&v| self.is_left(v, queue));
            let left: Vec<usize> = left.collect();
            if old.is_none() && left.is_empty() {
                continue;
            }
            let mut heads = old.map_or(Vec::new(), |old| old.heads.clone());
            heads.extend(left.iter().filter(|&&v| self.may_be_first(v)).map(|&v| self.message(v)));
            heads.sort_unstable();
            heads.dedup();
            let after = self.after(queue, After::default(), |v| self.is_left(v, queue))?;
            all.push(Waiting { queue, after, heads });
        }
        Some(all)
    }

    /// Whether a message that is left over may be the first in its queue.
    pub(crate) fn may_be_first(&self, first: usize) -> bool {
        let queue = self.round.messages[first].queue;
        if self.is_mailbox {
            !self.reachable(|v| v != first && self.is_left(v, queue))[first]
        } else {
            let older = |v: usize| v < first && self.is_left(v, queue);
            !self.book.waiting.iter().any(|waiting| waiting.queue == queue)
                && !(0..self.round.messages.len()).any(older)
        }
    }

    /// Whether a node is a message that is left over in a queue, now or before.
    pub(crate) fn is_left(&self, node: usize, queue: usize) -> bool {
        match self.round.messages.get(node) {
            Some(message) => message.queue == queue && !message.is_received(),
            None => self.waiting_at(node).queue == queue,
        }
    }

    /// Whether a node must be sent after others of which so much is known.
    pub(crate) fn is_after(&self, after: After, node: usize) -> bool {
        match self.round.messages.get(node) {
            Some(message) => after.forces(message),
            None => after.forces_all(self.readers, self.waiting_at(node).queue),
        }
    }

    /// Adds everything that must be sent after the nodes `from`; `None` if the reader of `queue` receives some of it.
    /// Nothing is to be known where queues have one writer each.
    pub(crate) fn after(
        &self,
        queue: usize,
        mut after: After,
        from: impl Fn(usize) -> bool,
    ) -> Option<After> {
        if !self.is_mailbox {
            return Some(After::default());
        }
        let found = self.reachable(from);
        for node in (0..found.len()).filter(|&node| found[node]) {
            let more = match self.round.messages.get(node) {
                Some(it) => After { senders: bit(it.sender), receivers: it.receiver() },
                None => self.waiting_at(node).after,
            };
            after.senders |= more.senders;
            after.receivers |= more.receivers;
        }
        (!after.forces_all(self.readers, queue)).then_some(after)
    }

    fn reachable(&self, from: impl Fn(usize) -> bool) -> Vec<bool> {
        let n_nodes = self.round.messages.len() + self.book.waiting.len();
        reachable((0..n_nodes).map(from).collect(), |v, w| self.edge(v, w))
    }

    fn edge(&self, v: usize, w: usize) -> bool {
        match (self.round.messages.get(v), self.round.messages.get(w)) {
            (Some(v), Some(w)) => v.is_forced_before(w),
            (Some(v), None) => v.is_received() && v.queue == self.waiting_at(w).queue,
            (None, _) => self.is_after(self.waiting_at(v).after, w),
        }
    }

    /// Who reads a queue, as a set.
    pub(crate) fn reader(&self, queue: usize) -> u64 {
        self.readers[queue].map_or(0, bit)
    }

    /// All machines.
    pub(crate) fn everyone(&self) -> u64 {
        (0..self.round.after.locals.len()).fold(0, |all, machine| all | bit(machine))
    }

    fn waiting_at(&self, node: usize) -> &Waiting {
        &self.book.waiting[node - self.round.messages.len()]
    }

    fn message(&self, v: usize) -> MessageId {
        self.round.messages[v].what
    }
}
