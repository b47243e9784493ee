//! Which queue a name means, under each discipline.

use qp_base::Span;
use qp_machines::{Discipline, MachineId, QueueId, QueueKind};

use crate::codes;
use crate::names::{did_you_mean, quoted};

use super::super::ast::{File, Name, QueueName, Size};
use super::Lowering;

impl<'t> Lowering<'_, 't> {
    pub(super) fn declare_queues(&mut self, file: &File<'t>) {
        for (queue, size) in &file.queues {
            self.declare_size(*queue, *size);
        }
        match self.draft.outline.discipline {
            Discipline::Channels => self.declare_channels(file),
            Discipline::Mailbox | Discipline::PeerToPeer => {
                if let Some(channel) = file.channels.first() {
                    let help = "write `queues channels;` to use channels";
                    let message = "channels are declared, but the queues are not channels";
                    self.wrong_form(message.to_owned(), channel.name.span, help);
                }
            }
        }
        if self.draft.outline.discipline == Discipline::Mailbox {
            for (machine, id) in file.machines.iter().zip(0..) {
                let kind = self.size_of(None, MachineId::from_raw(id));
                self.draft.queue(machine.name.text.to_owned(), kind, machine.name.span);
            }
        }
    }

    fn declare_channels(&mut self, file: &File<'t>) {
        self.unique("channel", file.channels.iter().map(|channel| channel.name));
        for channel in &file.channels {
            let kind = channel.size.map_or(self.default_kind, |size| size.kind);
            let id = self.draft.queue(channel.name.text.to_owned(), kind, channel.name.span);
            self.channels.insert(channel.name.text, id);
        }
    }

    /// `queue A 2;` or `queue A from B 2;`
    fn declare_size(&mut self, queue: QueueName<'t>, size: Size) {
        if self.draft.outline.discipline == Discipline::Channels {
            let help = "a channel's size stands in its declaration: `channel c 2;`";
            let message = "`queue` gives no size to a channel".to_owned();
            return self.wrong_form(message, queue.name.span, help);
        }
        let Some((from, to)) = self.ends(queue) else { return };
        if self.sizes.insert((from, to), size.kind).is_some() {
            let message = "this queue has been given a size already";
            let help = "keep one of the two";
            self.complaints.error(codes::TWICE, message, size.span, help);
        }
    }

    fn size_of(&self, from: Option<MachineId>, to: MachineId) -> QueueKind {
        self.sizes.get(&(from, to)).copied().unwrap_or(self.default_kind)
    }

    /// The machines at the ends of a mailbox or a pair.
    fn ends(&mut self, queue: QueueName<'t>) -> Option<(Option<MachineId>, MachineId)> {
        let to = self.machine_named(queue.name);
        let from = match queue.from {
            Some(from) => Some(self.machine_named(from)?),
            None => None,
        };
        let span = queue.name.span;
        match (self.draft.outline.discipline, queue.from) {
            (Discipline::Mailbox, Some(from)) => {
                let help = "write `queue A`, or `queues peer-to-peer;` for a queue per pair";
                let message = "a mailbox is for all senders".to_owned();
                self.wrong_form(message, span.to(from.span), help);
                None
            }
            (Discipline::PeerToPeer, None) => {
                let help = "write `queue A from B`, or `queues mailbox;` for a queue per machine";
                self.wrong_form("there is one queue per sender here".to_owned(), span, help);
                None
            }
            _ => Some((from, to?)),
        }
    }

    /// The queue that a condition is about.
    pub(super) fn queue_named(&mut self, queue: QueueName<'t>) -> Option<QueueId> {
        if self.draft.outline.discipline == Discipline::Channels {
            if let Some(from) = queue.from {
                let help = "write `queue c` for a channel";
                self.wrong_form("a channel is for all senders".to_owned(), from.span, help);
                return None;
            }
            return self.channel_named(queue.name);
        }
        match self.ends(queue)? {
            (Some(from), to) => Some(self.pair(from, to)),
            (None, to) => Some(QueueId::from_raw(to.raw())),
        }
    }

    /// The queue that `send name ...` of this machine appends to.
    pub(super) fn target_queue(&mut self, machine: MachineId, name: Name<'t>) -> Option<QueueId> {
        match self.draft.outline.discipline {
            Discipline::Channels => self.channel_named(name),
            // A machine's mailbox has the machine's number: they are declared in the same order.
            Discipline::Mailbox => Some(QueueId::from_raw(self.machine_named(name)?.raw())),
            Discipline::PeerToPeer => {
                let to = self.machine_named(name)?;
                Some(self.pair(machine, to))
            }
        }
    }

    /// The queue that `recv [name] ...` of this machine takes from.
    pub(super) fn source_queue(
        &mut self,
        machine: MachineId,
        name: Option<Name<'t>>,
        span: Span,
    ) -> Option<QueueId> {
        match (self.draft.outline.discipline, name) {
            (Discipline::Mailbox, None) => Some(QueueId::from_raw(machine.raw())),
            (Discipline::Mailbox, Some(name)) => {
                let help = "write `recv message`, or `queues peer-to-peer;` for a queue per sender";
                let message = format!(
                    "this receive names the sender {}, but a mailbox does not keep it",
                    quoted(name.text)
                );
                self.wrong_form(message, name.span, help);
                None
            }
            (Discipline::PeerToPeer, Some(name)) => {
                let from = self.machine_named(name)?;
                Some(self.pair(from, machine))
            }
            (Discipline::Channels, Some(name)) => self.channel_named(name),
            (Discipline::PeerToPeer, None) => {
                let help = "write `recv Sender message`: there is one queue per sender";
                self.wrong_form("this receive does not name the sender".to_owned(), span, help);
                None
            }
            (Discipline::Channels, None) => {
                let help = "write `recv channel message`";
                self.wrong_form("this receive does not name the channel".to_owned(), span, help);
                None
            }
        }
    }

    fn pair(&mut self, from: MachineId, to: MachineId) -> QueueId {
        self.draft.pair(from, to, self.size_of(Some(from), to))
    }

    fn channel_named(&mut self, name: Name<'t>) -> Option<QueueId> {
        let found = self.channels.get(name.text).copied();
        if found.is_none() {
            let channels = self.draft.outline.queues.iter().map(|q| q.name.as_str());
            let help = did_you_mean(name.text, channels, "declare it: `channel name;`");
            self.unknown("channel", name, help);
        }
        found
    }

    fn wrong_form(&mut self, message: String, span: Span, help: &str) {
        self.complaints.error(codes::DISCIPLINE, message, span, help);
    }
}
