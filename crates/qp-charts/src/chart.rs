//! Charts, built event by event.

use qp_base::{IndexVec, define_index};

define_index!(ProcessId, "p", "A process of a chart.");
define_index!(MessageId, "m", "A message of a chart; numbered in the order of sends.");
define_index!(EventId, "e", "An event of a chart; numbered in the order in which it was built.");

/// A message sequence chart: a line of events for each process, and which receive belongs to which send.
///
/// Invariant: a receive comes after its send in the order of building, which the numbers of events are.
/// So causality (the order of each process, and each send before its receive) has no cycle.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Chart {
    lines: IndexVec<ProcessId, Vec<EventId>>,
    messages: IndexVec<MessageId, Message>,
    events: IndexVec<EventId, Event>,
}

/// A message of a chart.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Message {
    /// Who sent it.
    pub from: ProcessId,
    /// Whom it was sent to.
    pub to: ProcessId,
    /// A number that means something to whoever made the chart.
    pub label: u32,
    /// The event that sent it.
    pub sent: EventId,
    /// The event that received it; nothing if it never was.
    pub received: Option<EventId>,
}

/// An event of a chart.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Event {
    /// Whether it sends or receives.
    pub action: Action,
    /// What it sends or receives.
    pub message: MessageId,
    /// The process it happens on.
    pub process: ProcessId,
}

/// What is done with a message.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// It is sent.
    Send,
    /// It is received.
    Receive,
}

impl Chart {
    /// A chart of so many processes in which nothing has happened.
    pub fn new(processes: usize) -> Self {
        Self {
            lines: vec![Vec::new(); processes].into(),
            messages: IndexVec::new(),
            events: IndexVec::new(),
        }
    }

    /// Appends a send. The label is 0.
    pub fn send(&mut self, from: ProcessId, to: ProcessId) -> MessageId {
        self.send_labelled(from, to, 0)
    }

    /// Appends the send of a message with a label.
    pub fn send_labelled(&mut self, from: ProcessId, to: ProcessId, label: u32) -> MessageId {
        assert!(to.index() < self.lines.len(), "the receiver is a process of the chart");
        let sent = EventId::new(self.events.len());
        let message = self.messages.push(Message { from, to, label, sent, received: None });
        self.append(Event { action: Action::Send, message, process: from });
        message
    }

    /// Appends the receive of a message. Panics if it was received before.
    pub fn receive(&mut self, message: MessageId) -> EventId {
        let process = self.messages[message].to;
        let event = self.append(Event { action: Action::Receive, message, process });
        let before = self.messages[message].received.replace(event);
        assert!(before.is_none(), "a message is received at most once");
        event
    }

    fn append(&mut self, event: Event) -> EventId {
        let id = self.events.push(event);
        self.lines[event.process].push(id);
        id
    }

    /// Its processes.
    pub fn processes(&self) -> impl Iterator<Item = ProcessId> + use<> {
        self.lines.ids()
    }

    /// Its messages, in the order in which they were sent.
    pub const fn messages(&self) -> &IndexVec<MessageId, Message> {
        &self.messages
    }

    /// Its events, in the order in which it was built.
    pub const fn events(&self) -> &IndexVec<EventId, Event> {
        &self.events
    }

    /// What happened on a process, in order.
    pub fn line(&self, process: ProcessId) -> &[EventId] {
        &self.lines[process]
    }
}
