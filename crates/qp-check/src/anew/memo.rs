//! What machines can do, remembered by what they look at.
//!
//! The steps of a machine depend on what is read while they are worked out (`qp_machines::Reads`), and on nothing
//! else. So all that a machine can do is a decision tree: each node is the next read, each branch a value, and the
//! steps are at the leaves, as what they write.

use qp_base::{Decisions, Interner, Root};
use qp_machines::{
    CellId, Event, FailureId, KindId, LocalId, MachineId, MessageId, Property, QueueId, Reads,
    System, Turn, WordId,
};

use super::parts::{MACHINES, Parts, QUEUES};
use crate::columns::{Column, NOTHING, kind_in, word_in};
use crate::faults::{Finding, happens};

/// More nodes, leaves and entries of tables than this are not kept: everything is forgotten, and learned again where it
/// is needed.
pub(super) const SIZE_MAX: usize = 1 << 24;

pub(super) struct Memo {
    /// For each machine: without a timeout, and with one.
    roots: Vec<[Root; 2]>,
    leaves: Decisions<Look, Leaf>,
    /// What steps write, each from where the one before it ends.
    writes: Vec<(u32, u32)>,
    ends: Vec<u32>,
    summaries: Summaries,
    size_max: usize,
    /// Changes when everything is forgotten.
    pub(super) generation: u32,
    /// All that need not wait for ever somewhere.
    pub(super) lets: Vec<Finding>,
    /// Whether a message is ever taken from behind others.
    pub(super) skips: bool,
}

/// What is read next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Look {
    Part(usize),
    /// Something smaller than the whole local state of a machine ([`Reads::about`]).
    Summary(usize),
}

/// What a machine can do after certain reads.
#[derive(Default)]
pub(super) struct Leaf {
    /// The steps that lead somewhere, by number.
    steps: (u32, u32),
    /// Whether it can move at all: failures count.
    pub(super) moves: bool,
    pub(super) fails: Vec<(Property, FailureId)>,
    pub(super) gives_up: bool,
    pub(super) at_a_loss: Option<(QueueId, MessageId)>,
    /// What need not wait for ever here: machines that move, and queues from which something is taken.
    pub(super) lets: Vec<Finding>,
}

impl Leaf {
    /// Whether anything is to be noted about it.
    pub(super) fn is_remarkable(&self) -> bool {
        self.gives_up || self.at_a_loss.is_some() || !self.fails.is_empty()
    }
}

/// What is known of local states when they are asked smaller questions.
#[derive(Default)]
struct Summaries {
    questions: Interner<usize, (usize, u64)>,
    answers: Vec<Vec<Option<u32>>>,
}

impl Memo {
    /// Knows nothing, and forgets what is larger than this.
    pub(super) fn new(size_max: usize) -> Self {
        Self {
            roots: Vec::new(),
            leaves: Decisions::new(),
            writes: Vec::new(),
            ends: Vec::new(),
            summaries: Summaries::default(),
            size_max,
            generation: 0,
            lets: Vec::new(),
            skips: false,
        }
    }

    /// What a machine can do in a row, if that is known.
    #[inline]
    pub(super) fn leaf(
        &self,
        parts: &Parts,
        (machine, timeout): (usize, bool),
        row: &[u64],
    ) -> Option<u32> {
        let root = self.roots.get(machine)?[usize::from(timeout)];
        self.leaves.find(root, |look| match look {
            Look::Part(part) => Some(parts.at(part, row)),
            Look::Summary(question) => self.summaries.answer(parts, question, row),
        })
    }

    /// All leaves, by number.
    #[inline]
    pub(super) fn leaves(&self) -> &[Leaf] {
        self.leaves.answers()
    }

    /// What each step of a leaf writes.
    #[inline]
    pub(super) fn steps(&self, leaf: u32) -> impl Iterator<Item = &[(u32, u32)]> {
        let (from, to) = self.leaves()[leaf as usize].steps;
        (from..to).map(|step| {
            let start = if step == 0 { 0 } else { self.ends[step as usize - 1] };
            &self.writes[start as usize..self.ends[step as usize] as usize]
        })
    }

    /// Asks the one step function what a machine can do in a row.
    pub(super) fn ask(
        &mut self,
        system: &mut System,
        parts: &mut Parts,
        (machine, timeout): (usize, bool),
        row: &[u64],
    ) {
        if self.leaves.size() > self.size_max {
            self.forget();
        }
        let id = MachineId::new(machine);
        let mut noted =
            Noted { parts: &mut *parts, row, looks: Vec::new(), summaries: &mut self.summaries };
        let turns = system.turns_in(id, timeout, &mut noted);
        let at_a_loss = if timeout { None } else { system.unhandled_in(id, &mut noted) };
        for turn in &turns {
            noted.look_at_changes(turn);
        }
        let looks = noted.looks;
        let first = self.ends.len() as u32;
        let mut leaf = Leaf { moves: !turns.is_empty(), at_a_loss, ..Leaf::default() };
        for turn in &turns {
            self.note(system, id, turn, &mut leaf);
            if let Turn::Does { after, .. } = turn {
                let writes = parts.writes(system, after, row).into_iter();
                self.writes.extend(writes.map(|(part, number)| (part as u32, number)));
                self.ends.push(self.writes.len() as u32);
            }
        }
        leaf.steps = (first, self.ends.len() as u32);
        if self.roots.len() <= machine {
            self.roots.resize(machine + 1, [Root::NEW; 2]);
        }
        self.leaves.insert(&mut self.roots[machine][usize::from(timeout)], &looks, leaf);
    }

    /// Forgets all steps, and nothing that was learned about all of them.
    fn forget(&mut self) {
        *self = Self {
            summaries: std::mem::take(&mut self.summaries),
            generation: self.generation + 1,
            lets: std::mem::take(&mut self.lets),
            skips: self.skips,
            ..Self::new(self.size_max)
        };
    }

    /// Notes what a turn does, apart from what it writes.
    fn note(&mut self, system: &System, machine: MachineId, turn: &Turn, leaf: &mut Leaf) {
        match turn {
            Turn::Does { acts, .. } => {
                let event = acts.first().map_or(Event::Internal, |act| act.event);
                self.happens(machine, event, leaf);
                for act in acts {
                    self.happens(act.machine, act.event, leaf);
                }
            }
            &Turn::Fails { failure, .. } => {
                leaf.fails.push((system.program().failure(failure).property, failure));
                self.happens(machine, Event::Failed { failure }, leaf);
            }
            Turn::GivesUp { .. } => leaf.gives_up = true,
        }
    }

    fn happens(&mut self, mover: MachineId, event: Event, leaf: &mut Leaf) {
        self.skips |= matches!(event, Event::Took { position, .. } if position > 0);
        let (machine, queue) = match event {
            Event::Handshake { receiver, .. } => (Some(receiver), None),
            Event::Took { queue, .. } | Event::Closed { queue } => (None, Some(queue)),
            _ => (None, None),
        };
        let machines = [Some(mover), machine].into_iter().flatten();
        let machines = machines.map(|machine| Finding::Stuck { machine });
        let about = machines.chain(queue.map(|queue| Finding::Orphan { queue }));
        for finding in about.filter(|&finding| happens(finding, mover, event)) {
            for known in [&mut self.lets, &mut leaf.lets] {
                if !known.contains(&finding) {
                    known.push(finding);
                }
            }
        }
    }
}

impl Summaries {
    fn answer(&self, parts: &Parts, question: usize, row: &[u64]) -> Option<u32> {
        let (part, _) = *self.questions.value(question);
        self.answers[question].get(parts.at(part, row) as usize).copied().flatten()
    }

    fn note(&mut self, part: usize, question: u64, number: u32, answer: u32) -> usize {
        let question = self.questions.intern((part, question));
        if question == self.answers.len() {
            self.answers.push(Vec::new());
        }
        let answers = &mut self.answers[question];
        if answers.len() <= number as usize {
            answers.resize(number as usize + 1, None);
        }
        answers[number as usize] = Some(answer);
        question
    }
}

/// A row whose reads are written down, each once.
struct Noted<'a> {
    parts: &'a mut Parts,
    row: &'a [u64],
    looks: Vec<(Look, u32)>,
    summaries: &'a mut Summaries,
}

impl Noted<'_> {
    fn note(&mut self, look: Look, number: u32) {
        if self.looks.iter().all(|&(known, _)| known != look) {
            self.looks.push((look, number));
        }
    }

    /// What a part has.
    fn look_at(&mut self, part: usize) -> u64 {
        self.note(Look::Part(part), self.parts.at(part, self.row));
        self.parts.value(part, self.row)
    }

    fn look(&mut self, column: Column) -> u64 {
        let part = self.parts.part(column);
        self.look_at(part)
    }

    /// What a step writes depends on what it changes, even if nobody has read that.
    fn look_at_changes(&mut self, turn: &Turn) {
        let Turn::Does { after, .. } = turn else { return };
        if after.n_machines.is_some() {
            self.look_at(MACHINES);
        }
        if after.n_queues.is_some() {
            self.look_at(QUEUES);
        }
        for &(queue, _) in &after.words {
            self.look(Column::Queue(queue));
        }
        for &(queue, _) in &after.kinds {
            self.look(Column::Queue(queue));
        }
    }
}

impl Reads for Noted<'_> {
    fn n_machines(&mut self) -> usize {
        self.look_at(MACHINES) as usize
    }

    fn n_queues(&mut self) -> usize {
        self.look_at(QUEUES) as usize
    }

    fn local(&mut self, machine: MachineId) -> LocalId {
        LocalId::from_raw(self.look(Column::Machine(machine)) as u32)
    }

    fn cell(&mut self, cell: CellId) -> i32 {
        (self.look(Column::Cell(cell)) as u32).cast_signed()
    }

    fn word(&mut self, queue: QueueId) -> WordId {
        match self.look(Column::Queue(queue)) {
            NOTHING => WordId::CLOSED,
            number => word_in(number),
        }
    }

    fn kind(&mut self, queue: QueueId) -> KindId {
        match self.look(Column::Queue(queue)) {
            NOTHING => KindId::from_raw(0),
            number => kind_in(number),
        }
    }

    fn about(
        &mut self,
        machine: MachineId,
        question: u64,
        answer: &mut dyn FnMut(LocalId) -> u32,
    ) -> u32 {
        let part = self.parts.part(Column::Machine(machine));
        let seen = answer(LocalId::from_raw(self.parts.value(part, self.row) as u32));
        let number = self.parts.at(part, self.row);
        let question = self.summaries.note(part, question, number, seen);
        self.note(Look::Summary(question), seen);
        seen
    }
}
