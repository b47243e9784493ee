//! A program with its names and the properties it states.

use std::collections::BTreeMap;

use qp_base::{Budget, IndexVec, Span};

use crate::{
    Bad, Capacity, KindId, Loss, Ltl, MachineId, MessageId, Possible, Program, Property, QueueId,
    QueueKind, System,
};

/// What a front end hands over: the program and what is to be checked about it.
pub struct Model {
    /// The interpreter.
    pub program: Box<dyn Program>,
    /// Whom its systems ask whether there is time left.
    budget: Budget,
}

impl Model {
    /// Wraps a program.
    pub fn new(program: impl Program + 'static) -> Self {
        Self { program: Box::new(program), budget: Budget::states(u64::MAX) }
    }
    /// The names of things and the facts known before anything runs.
    pub fn outline(&self) -> &Outline {
        self.program.outline()
    }
    /// Lets only those infinite runs count that are fair ([`Outline::fair`]).
    pub fn count_fair_runs(&mut self) {
        self.program.outline_mut().fair = true;
    }
    /// Asks one more thing of infinite runs.
    pub fn demand(&mut self, ltl: Ltl) {
        self.program.outline_mut().ltl.push(ltl);
    }
    /// Asks that one more thing remains possible.
    pub fn want(&mut self, possible: Possible) {
        self.program.outline_mut().possible.push(possible);
    }
    /// Lets no more than so many messages into a queue, and says whether that is possible
    /// ([`Program::limit`]).
    pub fn limit(&mut self, queue: QueueId, messages: u32) -> bool {
        messages > 0 && self.program.limit(queue, messages)
    }
    /// The same model for somebody whose time is limited. In the midst of a step there is a little more of it,
    /// so that whoever asks for himself is not surprised by steps that are given up.
    #[must_use]
    pub fn heeding(&self, budget: &Budget) -> Self {
        let mut program = self.program.fork();
        program.heed(&budget.with_grace());
        Self { program, budget: budget.clone() }
    }
    /// A system of its own for an engine, a checker or a printer.
    pub fn system(&self) -> System {
        System::new(self.program.fork()).heeding(&self.budget)
    }
}

impl Clone for Model {
    fn clone(&self) -> Self {
        Self { program: self.program.fork(), budget: self.budget.clone() }
    }
}

/// The names of things and the facts known before anything runs.
#[derive(Clone, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each says one thing of its own")]
pub struct Outline {
    /// The language the user wrote, as shown in reports: `cfsm`, `scm`, `fsa`.
    pub language: &'static str,
    /// Who shares queues with whom.
    pub discipline: Discipline,
    /// The machines that exist from the beginning.
    pub machines: IndexVec<MachineId, MachineInfo>,
    /// The queues that exist from the beginning.
    pub queues: IndexVec<QueueId, QueueInfo>,
    /// All kinds of queues.
    pub kinds: IndexVec<KindId, QueueKind>,
    /// How much fits into queues as the text says, where it is read otherwise; `None` for any number.
    pub declared: BTreeMap<QueueId, Option<u32>>,
    /// The kinds of queues that are created at run time, by number, where they differ from what their creator
    /// says.
    pub created: BTreeMap<QueueId, KindId>,
    /// The messages known before anything runs, by number.
    pub messages: IndexVec<MessageId, String>,
    /// Bad situations the user named: `reach:NAME`.
    pub bad: Vec<Bad>,
    /// What the user wants to remain possible: `possible:NAME`.
    pub possible: Vec<Possible>,
    /// Named formulas: `ltl:NAME`, and specs that must not stay hot: `live:NAME`.
    pub ltl: Vec<Ltl>,
    /// The properties that a failure may violate: `assert` and `divergence` have nothing to check unless
    /// they are listed.
    pub failing: Vec<Property>,
    /// Whether machines neither read nor write the store: it changes only by [`crate::Moves::observe`].
    pub store_is_watched: bool,
    /// Whether any state is marked as progress: otherwise `livelock` has nothing to check.
    pub has_progress: bool,
    /// Whether any state is marked as one that no infinite run may pass again and again: otherwise `accept`
    /// has nothing to check.
    pub has_accepting: bool,
    /// Whether only those infinite runs count in which every machine moves again and again that can move
    /// from some moment on without a break (weak fairness).
    pub fair: bool,
    /// How many shared variables there are, each a number that means the same everywhere. Without any, what is shared is
    /// one thing, and the one number that stands for it means something to this program alone.
    pub n_cells: Option<usize>,
}

impl Outline {
    /// Whether machines meet only through queues that one of them reads, as far as can be told without asking for steps:
    /// they see nothing else that is shared, nothing is handed over, and no queue loses what does not fit.
    pub(crate) fn meets_by_queues(&self) -> bool {
        let keeps =
            |it: &QueueKind| it.capacity != Capacity::Rendezvous && it.loss != Loss::WhenFull;
        let kinds =
            self.queues.iter().map(|queue| queue.kind).chain(self.created.values().copied());
        self.hides_store()
            && kinds.map(|kind| self.kinds[kind]).all(|kind| keeps(&kind))
            && self.queues.iter().all(|queue| queue.readers.len() <= 1)
    }

    /// Whether machines do not see what is shared beside queues.
    pub fn hides_store(&self) -> bool {
        self.store_is_watched || self.n_cells == Some(0)
    }

    /// The kind of a queue with so much room, made from the one that it has; none if it hands messages over.
    /// Queues that exist from the beginning get it, others when they are created.
    pub fn limit(&mut self, queue: QueueId, messages: u32) -> Option<KindId> {
        let old = self.queues.get(queue).map_or(KindId::from_raw(0), |info| info.kind);
        let kind = *self.kinds.get(old)?;
        if kind.capacity == Capacity::Rendezvous {
            return None;
        }
        let declared = match kind.capacity {
            Capacity::Messages(n) => Some(n),
            Capacity::Unbounded | Capacity::Rendezvous => None,
        };
        self.declared.entry(queue).or_insert(declared);
        let limited = QueueKind { capacity: Capacity::Messages(messages), ..kind };
        let limited = self.kinds.push(limited);
        if queue.index() < self.queues.len() {
            self.queues[queue].kind = limited;
        } else {
            self.created.insert(queue, limited);
        }
        Some(limited)
    }

    /// The text that names a queue in files: its name, or its number if it is created at run time.
    pub fn queue_text(&self, queue: QueueId) -> String {
        let created = || format!("#{}", queue.raw());
        self.queues.get(queue).map_or_else(created, |info| info.name.clone())
    }

    /// The queue named by [`Outline::queue_text`].
    pub fn queue_from_text(&self, text: &str) -> Option<QueueId> {
        let known = self.queues.iter().position(|info| info.name == text).map(QueueId::new);
        known.or_else(|| text.strip_prefix('#')?.parse().ok().map(QueueId::from_raw))
    }
}

/// Who shares queues with whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Discipline {
    /// One queue per machine, for all senders.
    #[default]
    Mailbox,
    /// One queue per ordered pair of machines.
    PeerToPeer,
    /// Named queues for anyone.
    Channels,
}

impl Discipline {
    /// The word for it in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Mailbox => "mailbox",
            Self::PeerToPeer => "peer-to-peer",
            Self::Channels => "channels",
        }
    }
}

/// A machine's name and place.
#[derive(Clone, Debug)]
pub struct MachineInfo {
    /// The user's name.
    pub name: String,
    /// Where it is declared.
    pub span: Span,
}

/// A queue's name and its users.
#[derive(Clone, Debug)]
pub struct QueueInfo {
    /// The name for reports: the owner's for a mailbox, `A->B` for a pair, the user's for a channel.
    pub name: String,
    /// Capacity and loss.
    pub kind: KindId,
    /// The machines that may receive from it.
    pub readers: Vec<MachineId>,
    /// The machines that may send to it.
    pub writers: Vec<MachineId>,
    /// Where it is declared (the owner's place for a mailbox).
    pub span: Span,
}
