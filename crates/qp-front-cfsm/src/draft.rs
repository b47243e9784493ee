//! A model in the making, shared by the three lowerings.

use qp_base::{Complaints, Diagnostic, IndexVec, Interner, Map, Set, Span};
use qp_machines::{
    Action, Automata, Automaton, Discipline, KindId, MachineId, MachineInfo, MessageId, Outline,
    QueueId, QueueInfo, QueueKind,
};

use crate::codes;

/// Nothing that can be verified comes near this, and the lists of a queue's users stay short.
const MACHINES_MAX: usize = 4096;

/// Different texts of `fail`.
const FAILURES_MAX: usize = 4096;

/// The outline grows while machines are lowered: queues and messages appear when they are used.
pub(crate) struct Draft {
    pub(crate) outline: Outline,
    messages: Interner<MessageId, String>,
    kinds: Interner<KindId, QueueKind>,
    /// The queues of pairs of machines.
    pairs: Map<(MachineId, MachineId), QueueId>,
    machines: IndexVec<MachineId, Automaton>,
}

impl Draft {
    pub(crate) fn new(language: &'static str, discipline: Discipline) -> Self {
        Self {
            outline: Outline { language, discipline, ..Outline::default() },
            messages: Interner::new(),
            kinds: Interner::new(),
            pairs: Map::default(),
            machines: IndexVec::new(),
        }
    }

    /// Gives a machine its number. Its automaton follows with [`Draft::add`], in the same order.
    pub(crate) fn declare(&mut self, name: &str, span: Span) -> MachineId {
        self.outline.machines.push(MachineInfo { name: name.to_owned(), span })
    }

    pub(crate) fn add(&mut self, automaton: Automaton) {
        self.machines.push(automaton);
    }

    pub(crate) fn queue(&mut self, name: String, kind: QueueKind, span: Span) -> QueueId {
        let kind = self.kinds.intern(kind);
        let (readers, writers) = (Vec::new(), Vec::new());
        self.outline.queues.push(QueueInfo { name, kind, readers, writers, span })
    }

    /// The queue of a pair, new if it is used for the first time.
    pub(crate) fn pair(&mut self, from: MachineId, to: MachineId, kind: QueueKind) -> QueueId {
        if let Some(&queue) = self.pairs.get(&(from, to)) {
            return queue;
        }
        let machines = &self.outline.machines;
        let name = format!("{}->{}", machines[from].name, machines[to].name);
        let queue = self.queue(name, kind, machines[to].span);
        self.pairs.insert((from, to), queue);
        queue
    }

    pub(crate) fn message(&mut self, text: &str) -> MessageId {
        self.messages.intern(text.to_owned())
    }

    pub(crate) fn find_message(&self, text: &str) -> Option<MessageId> {
        self.messages.find(&text.to_owned())
    }

    /// The messages seen so far.
    pub(crate) fn messages(&self) -> impl Iterator<Item = &str> {
        self.messages.values().iter().map(String::as_str)
    }

    /// The automata, unless something is wrong.
    pub(crate) fn finish(mut self, complaints: &mut Complaints) -> Option<Automata> {
        self.check_size(complaints);
        if complaints.has_errors() {
            return None;
        }
        self.outline.messages = self.messages.values().iter().cloned().collect();
        self.outline.kinds = self.kinds.values().iter().copied().collect();
        Some(Automata::new(self.outline, self.machines))
    }

    fn check_size(&self, complaints: &mut Complaints) {
        let Some(first) = self.outline.machines.iter().next() else {
            let error =
                Diagnostic::error(codes::NO_MACHINE, "there is no machine", Span::default());
            complaints.push(error.help("a model has at least one machine"));
            return;
        };
        let states = self.machines.iter().flat_map(|machine| &machine.states);
        let failures: Set<&str> = states
            .flat_map(|state| &state.transitions)
            .filter_map(|t| if let Action::Fail(text) = &t.action { Some(&**text) } else { None })
            .collect();
        for (count, limit, things) in [
            (self.outline.machines.len(), MACHINES_MAX, "machines"),
            (failures.len(), FAILURES_MAX, "different texts of `fail`"),
        ] {
            if count > limit {
                let message = format!("there are {count} {things}; {limit} can be read");
                let help = "check a smaller instance";
                complaints.error(codes::TOO_LARGE, message, first.span, help);
            }
        }
    }
}
