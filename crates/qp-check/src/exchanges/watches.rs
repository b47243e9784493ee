//! What a run that is not made of rounds would have to go through.

use qp_machines::MessageId;

use crate::exchanges::books::{After, Order};
use crate::exchanges::{bit, has};

/// A message that is left over and received in the end, with what has happened because of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Watch {
    pub(crate) queue: usize,
    pub(crate) message: MessageId,
    pub(crate) sent: u64,
    pub(crate) received: u64,
    pub(crate) crossed: u64,
    pub(crate) toward: u64,
    pub(crate) count: u32,
    pub(crate) after: After,
}

impl Watch {
    /// The watches that begin with a message of a round: one for each set of machines with its reader.
    pub(crate) fn start(order: &Order<'_>, v0: usize, sends: u32) -> Vec<Self> {
        let (round, first) = (order.round, order.round.messages[v0]);
        let (queue, message) = (first.queue, first.what);
        let Some(reader) = first.reader.filter(|_| !first.is_received()) else { return Vec::new() };
        if !order.may_be_first(v0) {
            return Vec::new();
        }
        let left = |node| order.is_left(node, queue);
        let Some(after) = order.after(queue, After::default(), left) else { return Vec::new() };
        let reached = round.closure(|v| v == v0, false);
        let (sent, received) = acting(order, &reached);
        let watch = |toward| {
            let before = round.closure(|v| round.acts_on(v, toward), true);
            let both = (0..reached.len()).filter(|&v| v == v0 || reached[v] && before[v]);
            let count = (both.count() as u32).min(sends.saturating_add(1));
            Self { queue, message, sent, received, crossed: 0, toward, count, after }
        };
        subsets(order.everyone() & !bit(reader)).map(|set| watch(set | bit(reader))).collect()
    }

    /// The watches that this one becomes in a round.
    pub(crate) fn go_on(&self, order: &Order<'_>, sends: u32) -> Vec<Self> {
        let (queue, round) = (self.queue, order.round);
        let later = |v: usize| {
            order.is_after(self.after, v) || v < round.messages.len() && order.is_left(v, queue)
        };
        let Some(after) = order.after(queue, self.after, later) else { return Vec::new() };
        let acted = self.sent | self.received;
        let reached = round.closure(|v| round.acts_on(v, acted), false);
        let sends_late = |v: usize| has(self.received, round.messages[v].sender);
        let crosses = |v| round.acts_on(v, self.crossed) || sends_late(v);
        let crossed = round.closure(crosses, false);
        let ((sent, received), all_crossed) = (acting(order, &reached), acting(order, &crossed));
        let watch = |toward: u64| {
            let before = round.closure(|v| round.acts_on(v, toward), true);
            let (senders, receivers) = acting(order, &before);
            let both = (0..reached.len()).filter(|&v| reached[v] && before[v]).count() as u32;
            (toward | senders | receivers == self.toward).then(|| Self {
                sent: self.sent | sent,
                received: self.received | received,
                crossed: self.crossed | all_crossed.0 | all_crossed.1,
                toward,
                count: self.count.saturating_add(both).min(sends.saturating_add(1)),
                after,
                ..*self
            })
        };
        // Whoever does nothing in the round stays, and so does the reader.
        let reader = order.reader(queue);
        let stays = self.toward & (reader | !round.acting());
        subsets(self.toward & !stays).filter_map(|set| watch(set | stays)).collect()
    }
}

/// The senders of some messages of a round, and who receives those that are received.
fn acting(order: &Order<'_>, which: &[bool]) -> (u64, u64) {
    let some = order.round.messages.iter().zip(which).filter(|(_, which)| **which);
    some.fold((0, 0), |(senders, receivers), (it, _)| {
        (senders | bit(it.sender), receivers | it.receiver())
    })
}

/// All sets inside a set.
fn subsets(of: u64) -> impl Iterator<Item = u64> {
    let mut next = Some(0u64);
    std::iter::from_fn(move || {
        let set = next?;
        next = (set != of).then(|| (set.wrapping_sub(of)) & of);
        Some(set)
    })
}
