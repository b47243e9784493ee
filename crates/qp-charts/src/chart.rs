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

impl Message {
    /// Whether it was received.
    pub const fn is_matched(&self) -> bool {
        self.received.is_some()
    }
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

    /// The events that an event cannot do without, itself included: what came before it on its process,
    /// the sends of what was received there, and so on. In order.
    pub fn past(&self, event: EventId) -> Vec<EventId> {
        // Numbers go down along causality, so one pass from the event to the first one is enough.
        let mut needed = vec![false; event.index() + 1];
        let mut on_line = vec![false; self.lines.len()];
        needed[event.index()] = true;
        for index in (0..=event.index()).rev() {
            let Event { action, message, process } = self.events[EventId::new(index)];
            if !needed[index] && !on_line[process.index()] {
                continue;
            }
            needed[index] = true;
            on_line[process.index()] = true;
            if action == Action::Receive {
                needed[self.messages[message].sent.index()] = true;
            }
        }
        (0..needed.len()).filter(|index| needed[*index]).map(EventId::new).collect()
    }

    /// The chart of some of the events, in the same order; nothing if one of them needs an event that is
    /// not among them. The processes and labels are the same, the messages are numbered anew.
    pub fn prefix(&self, events: &[EventId]) -> Option<Self> {
        let mut chosen: Vec<EventId> = events.to_vec();
        chosen.sort_unstable();
        chosen.dedup();
        let mut chart = Self::new(self.lines.len());
        let mut renamed: IndexVec<MessageId, Option<MessageId>> =
            vec![None; self.messages.len()].into();
        for id in chosen {
            let Event { action, message, process } = *self.events.get(id)?;
            if self.lines[process].get(chart.lines[process].len()) != Some(&id) {
                return None;
            }
            let old = &self.messages[message];
            match action {
                Action::Send => {
                    renamed[message] = Some(chart.send_labelled(old.from, old.to, old.label));
                }
                Action::Receive => {
                    chart.receive(renamed[message]?);
                }
            }
        }
        Some(chart)
    }
}
