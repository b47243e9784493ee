//! Which charts can be run with which queues, and in which order.

use crate::chart::{Action, Chart, EventId, MessageId, ProcessId};
use crate::graph::Graph;
use std::collections::BTreeMap;

/// How messages wait between a send and a receive. Every queue is first in, first out.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Delivery {
    /// A queue for each ordered pair of processes.
    PeerToPeer,
    /// One queue for each receiver, whoever sends.
    Mailbox,
}

impl Chart {
    /// Whether it can be run with these queues.
    pub fn allows(&self, delivery: Delivery) -> bool {
        match delivery {
            Delivery::PeerToPeer => self.is_peer_to_peer(),
            Delivery::Mailbox => self.is_mailbox(),
        }
    }

    /// Whether it can be run with a queue per ordered pair of processes: from each process to each other
    /// one, messages are received in the order in which they were sent, without leaving one out.
    pub fn is_peer_to_peer(&self) -> bool {
        let mut sent: BTreeMap<(ProcessId, ProcessId), usize> = BTreeMap::new();
        let ranks: Vec<usize> = self
            .messages()
            .iter()
            .map(|message| next(sent.entry((message.from, message.to)).or_default()))
            .collect();
        let mut received: BTreeMap<(ProcessId, ProcessId), usize> = BTreeMap::new();
        self.events().iter().filter(|event| event.action == Action::Receive).all(|event| {
            let message = &self.messages()[event.message];
            let expected = next(received.entry((message.from, message.to)).or_default());
            ranks[event.message.index()] == expected
        })
    }

    /// Whether it can be run with one mailbox per process: no send is forced to come before itself.
    ///
    /// A send is forced to come before another if the same process makes it earlier, if its message is
    /// received before the other is sent, or if both go to the same process, which receives its message
    /// and receives the other one later or never.
    pub fn is_mailbox(&self) -> bool {
        self.linearisation(Delivery::Mailbox).is_some()
    }

    /// An order of all events that is a run with these queues; nothing if there is none. It differs from
    /// the order of building only where it must.
    pub fn linearisation(&self, delivery: Delivery) -> Option<Vec<EventId>> {
        match delivery {
            Delivery::PeerToPeer => self.is_peer_to_peer().then(|| self.events().ids().collect()),
            Delivery::Mailbox => {
                let order = self.forced().order(|event| event)?;
                Some(order.into_iter().map(EventId::new).collect())
            }
        }
    }

    /// What must come before what when there is one mailbox per process. Edges that follow from others
    /// are left out, so that there are at most three per event.
    fn forced(&self) -> Graph {
        let mut graph = Graph::new(self.events().len());
        for process in self.processes() {
            for pair in self.line(process).windows(2) {
                graph.edge(pair[0].index(), pair[1].index());
            }
        }
        let mut last: Vec<Option<MessageId>> = vec![None; self.processes().count()];
        for process in self.processes() {
            let line = self.line(process).iter().map(|event| self.events()[*event]);
            for event in line.filter(|event| event.action == Action::Receive) {
                let message = &self.messages()[event.message];
                if let Some(received) = message.received {
                    graph.edge(message.sent.index(), received.index());
                }
                if let Some(before) = last[process.index()].replace(event.message) {
                    graph.edge(self.messages()[before].sent.index(), message.sent.index());
                }
            }
        }
        for message in self.messages().iter().filter(|message| !message.is_matched()) {
            if let Some(before) = last[message.to.index()] {
                graph.edge(self.messages()[before].sent.index(), message.sent.index());
            }
        }
        graph
    }
}

/// Counts on, and returns the number before.
fn next(count: &mut usize) -> usize {
    *count += 1;
    *count - 1
}
