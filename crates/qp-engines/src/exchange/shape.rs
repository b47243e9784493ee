//! Exchanges as they look from outside: which message leads to which.

use qp_machines::{MachineId, MessageId, QueueId};

use super::exchanges::Sent;
use super::manners::Manner;
use super::world::{Machines, World, bit};

/// A set of messages of an exchange.
pub(super) type Messages = u32;

/// What matters about an exchange once it is over.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    pub(super) nodes: Vec<Node>,
}

/// A message of an exchange.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) by: MachineId,
    pub(super) queue: QueueId,
    /// What it is, if it is not received.
    pub(super) message: Option<MessageId>,
    /// The machines that act for it: who sends it, and who receives it.
    pub(super) actors: Machines,
    /// The receiver, if it is received.
    pub(super) taker: Machines,
    /// Where conflicts lead to from here, itself included.
    pub(super) after: Messages,
    /// From where conflicts lead here, itself included.
    pub(super) before: Messages,
    /// The messages that must be sent later because of it alone.
    pub(super) forces: Messages,
}

impl Shape {
    pub(super) fn new(sent: &[Sent], world: &World) -> Self {
        let node = |sent: &Sent| {
            let reader = world.manners.reader(sent.queue).map_or(0, bit);
            let taker = if sent.taken > 0 { reader } else { 0 };
            Node {
                by: sent.by,
                queue: sent.queue,
                message: sent.message,
                actors: bit(sent.by) | taker,
                taker,
                after: 0,
                before: 0,
                forces: 0,
            }
        };
        let mut nodes: Vec<Node> = sent.iter().map(node).collect();
        let n = sent.len();
        let mut edges: Vec<Messages> = vec![0; n];
        for v in 0..n {
            for w in (0..n).filter(|&w| w != v) {
                let earlier = sent[v].by == sent[w].by && v < w;
                // Receives come after all sends of the exchange.
                let then = sent[w].taken > 0 && nodes[w].taker == bit(sent[v].by);
                let both = sent[v].taken > 0 && nodes[v].taker == nodes[w].taker;
                if earlier || then || both && sent[v].taken < sent[w].taken {
                    edges[v] |= 1 << w;
                }
                let before =
                    sent[v].taken > 0 && (sent[w].taken == 0 || sent[v].taken < sent[w].taken);
                if earlier || sent[v].queue == sent[w].queue && before {
                    nodes[v].forces |= 1 << w;
                }
            }
        }
        for (v, node) in nodes.iter_mut().enumerate() {
            node.after = closure(1 << v, |v| u128::from(edges[v])) as Messages;
        }
        let after: Vec<Messages> = nodes.iter().map(|node| node.after).collect();
        for (w, node) in nodes.iter_mut().enumerate() {
            let leads = |v: &usize| after[*v] & 1 << w != 0;
            node.before = (0..n).filter(leads).fold(0, |all, v| all | 1 << v);
        }
        Self { nodes }
    }

    /// The messages for which this holds.
    pub(super) fn which(&self, holds: impl Fn(&Node) -> bool) -> Messages {
        let places = (0..self.nodes.len()).filter(|&v| holds(&self.nodes[v]));
        places.fold(0, |all, v| all | 1 << v)
    }

    /// The messages of a set, one by one.
    pub(super) fn each(&self, set: Messages) -> impl Iterator<Item = &Node> {
        self.nodes.iter().enumerate().filter(move |(v, _)| set & 1 << v != 0).map(|(_, node)| node)
    }

    /// Where conflicts lead from a set, itself included.
    pub(super) fn after(&self, set: Messages) -> Messages {
        self.each(set).fold(0, |all, node| all | node.after)
    }

    /// From where conflicts lead to messages that act on one of these machines, these included.
    pub(super) fn toward(&self, machines: Machines) -> Messages {
        let acting = self.which(|node| node.actors & machines != 0);
        self.each(acting).fold(0, |all, node| all | node.before)
    }

    /// The senders of a set.
    pub(super) fn senders(&self, set: Messages) -> Machines {
        self.each(set).fold(0, |all, node| all | bit(node.by))
    }

    /// The receivers of what is received of a set.
    pub(super) fn takers(&self, set: Messages) -> Machines {
        self.each(set).fold(0, |all, node| all | node.taker)
    }

    /// The messages to a queue that are not received.
    pub(super) fn left_over(&self, queue: QueueId) -> Messages {
        self.which(|node| node.queue == queue && node.message.is_some())
    }
}

/// Everything that edges lead to, the beginning included.
fn closure(from: Nodes, edges: impl Fn(usize) -> Nodes) -> Nodes {
    let (mut seen, mut todo) = (from, from);
    while todo != 0 {
        let v = todo.trailing_zeros() as usize;
        todo &= todo - 1;
        let new = edges(v) & !seen;
        seen |= new;
        todo |= new;
    }
    seen
}

/// What stays in one queue for ever, and what comes after it for certain.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Stay {
    pub(super) queue: QueueId,
    /// For mailboxes: the machines that have made a send that comes after one of them.
    pub(super) senders: Machines,
    /// For mailboxes: the machines that have received a message that was sent after one of them.
    pub(super) receivers: Machines,
    /// The messages that may be the first.
    pub(super) heads: Vec<MessageId>,
}

/// What stays in queues, by queue.
pub(super) type Stays = Vec<Stay>;

/// Messages of an exchange, in the lowest bits, and above them queues in which something stayed before, as places in
/// [`Stays`].
pub(super) type Nodes = u128;

const STAYS_FROM: usize = Messages::BITS as usize;

/// An exchange after what stays in queues: which sends must come after which.
pub(super) struct Forced<'a> {
    pub(super) shape: &'a Shape,
    pub(super) stays: &'a [Stay],
    pub(super) world: &'a World,
}

impl Forced<'_> {
    /// What stays in queues afterwards; nothing if the exchange cannot follow.
    pub(super) fn step(&self) -> Option<Stays> {
        match self.world.manner() {
            Manner::Pairs => self.step_pairs(),
            Manner::Mailboxes => self.step_mailboxes(),
        }
    }

    fn step_pairs(&self) -> Option<Stays> {
        let mut stays = self.stays.to_vec();
        for node in &self.shape.nodes {
            match (node.message, stays.binary_search_by_key(&node.queue, |stay| stay.queue)) {
                (None, Ok(at)) if self.stays.iter().any(|it| it.queue == stays[at].queue) => {
                    return None;
                }
                (Some(message), Err(at)) => {
                    let heads = vec![message];
                    stays.insert(at, Stay { queue: node.queue, senders: 0, receivers: 0, heads });
                }
                (None, _) | (Some(_), Ok(_)) => {}
            }
        }
        Some(stays)
    }

    fn step_mailboxes(&self) -> Option<Stays> {
        let mut queues: Vec<QueueId> = self.stays.iter().map(|stay| stay.queue).collect();
        let left = self.shape.nodes.iter().filter(|node| node.message.is_some());
        queues.extend(left.map(|node| node.queue));
        queues.sort_unstable();
        queues.dedup();
        let mut stays = Vec::with_capacity(queues.len());
        for queue in queues {
            let before = self.staying(queue);
            let left = self.shape.left_over(queue);
            let (senders, receivers) = self.collect(self.reach(Nodes::from(left) | before));
            if self.world.manners.reader(queue).is_some_and(|reader| receivers & bit(reader) != 0) {
                return None;
            }
            let heads = self.heads(before, left);
            stays.push(Stay { queue, senders, receivers, heads });
        }
        Some(stays)
    }

    /// The messages of a queue that may be the first: those that were it, and new ones that need not come after
    /// others.
    fn heads(&self, before: Nodes, left: Messages) -> Vec<MessageId> {
        let at = before.trailing_zeros() as usize;
        let mut heads =
            self.stays.get(at - STAYS_FROM).map_or_else(Vec::new, |stay| stay.heads.clone());
        for v in 0..self.shape.nodes.len() {
            let Some(message) = self.shape.nodes[v].message.filter(|_| left & 1 << v != 0) else {
                continue;
            };
            let others = Nodes::from(left & !(1 << v)) | before;
            if self.reach(others) & 1 << v == 0 {
                heads.push(message);
            }
        }
        heads.sort_unstable();
        heads.dedup();
        heads
    }

    /// The place of a queue among those in which something stayed before, as a set.
    pub(super) fn staying(&self, queue: QueueId) -> Nodes {
        let at = self.stays.binary_search_by_key(&queue, |stay| stay.queue);
        at.map_or(0, |at| 1 << (STAYS_FROM + at))
    }

    /// The queues in which something stayed before, of which one of these machines is the reader.
    pub(super) fn staying_for(&self, readers: Machines) -> Nodes {
        let reads = |stay: &Stay| {
            self.world.manners.reader(stay.queue).is_some_and(|reader| readers & bit(reader) != 0)
        };
        let read = (0..self.stays.len()).filter(|&at| reads(&self.stays[at]));
        read.fold(0, |all, at| all | 1 << (STAYS_FROM + at))
    }

    /// The messages that must be sent after what machines have done: those they send, and those that come into
    /// mailboxes of which they have received.
    pub(super) fn following(&self, senders: Machines, receivers: Machines) -> Nodes {
        Nodes::from(self.shape.which(|node| {
            let reader = self.world.manners.reader(node.queue).map_or(0, bit);
            bit(node.by) & (senders | receivers) != 0 || reader & receivers != 0
        }))
    }

    /// Everything that must come after some of these, these included.
    pub(super) fn reach(&self, from: Nodes) -> Nodes {
        closure(from, |v| match v.checked_sub(STAYS_FROM) {
            None => {
                let node = &self.shape.nodes[v];
                let stays = if node.taker == 0 { 0 } else { self.staying(node.queue) };
                Nodes::from(node.forces) | stays
            }
            Some(at) => {
                let Stay { senders, receivers, .. } = self.stays[at];
                self.following(senders, receivers) | self.staying_for(receivers)
            }
        })
    }

    /// The senders and the receivers of all of these.
    pub(super) fn collect(&self, nodes: Nodes) -> (Machines, Machines) {
        let messages = nodes as Messages;
        let mut senders = self.shape.senders(messages);
        let mut receivers = self.shape.takers(messages);
        for (at, stay) in self.stays.iter().enumerate() {
            if nodes & 1 << (STAYS_FROM + at) != 0 {
                senders |= stay.senders;
                receivers |= stay.receivers;
            }
        }
        (senders, receivers)
    }
}
