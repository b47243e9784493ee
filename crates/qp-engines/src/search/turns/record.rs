//! Asking the program what a machine can do, while writing down what it looks at.

use qp_machines::{
    Act, After, CellId, Event, KindId, LocalId, MachineId, QueueId, Reads, System, Turn, WordId,
};

use super::super::marks::Ends;
use super::super::space::Subject;
use super::first::{Firsts, WAITING};
use super::slots::{ABSENT, LOOKS, N_MACHINES, N_QUEUES, NONE, Raw, Slots};
use super::woods::{Change, Deed, Look, Woods};

/// Asks what a machine can do in the configuration with these values, and remembers it.
pub(super) fn ask(
    system: &mut System,
    slots: &mut Slots,
    (woods, firsts): (&mut Woods, Option<&mut Firsts>),
    values: &[u32],
    (machine, timeout): (usize, bool),
) {
    let own = slots.machine(machine) + LOOKS;
    let mut notes = Notes { slots, woods, values, own, path: Vec::new() };
    let id = MachineId::new(machine);
    let mut footprint = WAITING;
    let turns = match firsts {
        Some(firsts) => {
            let view = system.view_in(id, timeout, &mut notes);
            footprint = firsts.note(machine, &view);
            view.turns
        }
        None => system.turns_in(id, timeout, &mut notes),
    };
    let is_at_a_loss = system.unhandled_in(id, &mut notes).is_some();
    for turn in &turns {
        if let Turn::Does { after, .. } = turn {
            notes.look_at_changes(after);
        }
    }
    let path = notes.path;
    if woods.knows(slots, (machine, timeout), values) {
        // The value of a part is new, but the answers to all questions about it are old.
        return;
    }
    let mut maker = Maker { system, slots, values, known: known(&path, own) };
    let mut deeds = Vec::new();
    let mut ends = if is_at_a_loss { Ends::AT_A_LOSS } else { Ends::NONE };
    for turn in &turns {
        match turn {
            Turn::Does { acts, after } => deeds.push(maker.deed(machine, acts, after)),
            Turn::Fails { failure, .. } => {
                ends.join(maker.end(Event::Failed { failure: *failure }));
            }
            Turn::GivesUp { why } => ends.join(maker.end(Event::GaveUp { why: *why })),
        }
    }
    woods.insert((machine, timeout, values[own]), &path, &deeds, (ends, footprint));
}

/// What of the configuration is the same wherever this path leads to.
fn known(path: &[(Look, u32)], own: usize) -> Vec<usize> {
    let whole = path.iter().filter(|(look, _)| look.question == NONE);
    whole.map(|(look, _)| look.at as usize).chain([own]).collect()
}

/// A configuration whose looks are written down, each once.
struct Notes<'a> {
    slots: &'a Slots,
    woods: &'a mut Woods,
    values: &'a [u32],
    /// What is known without a look: the machine's own local state.
    own: usize,
    path: Vec<(Look, u32)>,
}

impl Notes<'_> {
    fn is_known(&self, at: usize) -> bool {
        let look = Look { at: at as u32, question: NONE };
        at == self.own || self.path.iter().any(|&(known, _)| known == look)
    }

    fn look(&mut self, at: usize) -> u32 {
        let value = self.values[at];
        if !self.is_known(at) {
            self.path.push((Look { at: at as u32, question: NONE }, value));
        }
        value
    }

    fn part(&mut self, part: usize) -> Raw {
        let value = self.look(part + LOOKS);
        let raw = self.slots.raw(part, value);
        debug_assert!(raw != ABSENT, "only what exists is looked at");
        raw
    }

    /// What the differences are depends on what is there: how many machines and queues, and what the
    /// queues that change hold.
    fn look_at_changes(&mut self, after: &After) {
        if after.n_machines.is_some() {
            self.look(N_MACHINES);
        }
        if after.n_queues.is_some() {
            self.look(N_QUEUES);
        }
        let changed = after.words.iter().map(|&(queue, _)| queue);
        let changed = changed.chain(after.kinds.iter().map(|&(queue, _)| queue));
        for queue in changed.filter(|queue| queue.raw() < self.values[N_QUEUES]).collect::<Vec<_>>()
        {
            self.look(self.slots.queue(queue.index()) + LOOKS);
        }
    }
}

impl Reads for Notes<'_> {
    fn n_machines(&mut self) -> usize {
        self.look(N_MACHINES) as usize
    }

    fn n_queues(&mut self) -> usize {
        self.look(N_QUEUES) as usize
    }

    fn local(&mut self, machine: MachineId) -> LocalId {
        LocalId::from_raw(self.part(self.slots.machine(machine.index())).0)
    }

    fn cell(&mut self, cell: CellId) -> i32 {
        self.part(Slots::cell(cell)).0.cast_signed()
    }

    fn word(&mut self, queue: QueueId) -> WordId {
        let (_, n_met) = self.slots.n_machines_queues();
        if queue.index() >= n_met {
            // Only a local state that somebody made up, in a file, can know it.
            self.look(N_QUEUES);
            return WordId::CLOSED;
        }
        let part = self.slots.queue(queue.index());
        let raw = self.slots.raw(part, self.look(part + LOOKS));
        if raw == ABSENT { WordId::CLOSED } else { WordId::from_raw(raw.0) }
    }

    fn kind(&mut self, queue: QueueId) -> KindId {
        KindId::from_raw(self.part(self.slots.queue(queue.index())).1)
    }

    fn about(
        &mut self,
        machine: MachineId,
        question: u64,
        answer: &mut dyn FnMut(LocalId) -> u32,
    ) -> u32 {
        let part = self.slots.machine(machine.index());
        let (at, value) = (part + LOOKS, self.values[part + LOOKS]);
        let answer = answer(LocalId::from_raw(self.slots.raw(part, value).0));
        if !self.is_known(at) {
            let question = self.woods.question(at as u32, question);
            self.woods.answer(question, value, answer);
            let look = Look { at: at as u32, question };
            if self.path.iter().all(|&(known, _)| known != look) {
                self.path.push((look, answer));
            }
        }
        answer
    }
}

/// Makes differences of turns.
struct Maker<'a> {
    system: &'a mut System,
    slots: &'a mut Slots,
    values: &'a [u32],
    known: Vec<usize>,
}

impl Maker<'_> {
    fn end(&self, event: Event) -> Ends {
        Ends::of(self.system.program(), event).expect("a failure is an end")
    }

    fn deed(&mut self, machine: usize, acts: &[Act], after: &After) -> Deed {
        let mut changes = Vec::new();
        let n_machines = self.values[N_MACHINES] as usize;
        let n_queues = self.values[N_QUEUES] as usize;
        let machines_after = after.n_machines.unwrap_or(n_machines);
        let queues_after = after.n_queues.unwrap_or(n_queues);
        self.slots.make_room(self.system, machines_after, queues_after);
        for machine in machines_after.min(n_machines)..machines_after.max(n_machines) {
            let raw = if machine < n_machines { ABSENT } else { (0, 0) };
            set(&mut changes, self.slots.machine(machine), raw);
        }
        for queue in queues_after.min(n_queues)..queues_after.max(n_queues) {
            let raw = if queue < n_queues { ABSENT } else { (WordId::EMPTY.raw(), 0) };
            set(&mut changes, self.slots.queue(queue), raw);
        }
        for &(machine, local) in &after.locals {
            set(&mut changes, self.slots.machine(machine.index()), (local.raw(), 0));
        }
        for &(queue, kind) in &after.kinds {
            let (part, (word, _)) = self.content(&changes, queue);
            set(&mut changes, part, (word, kind.raw()));
        }
        for &(queue, word) in &after.words {
            let (part, (_, kind)) = self.content(&changes, queue);
            set(&mut changes, part, (word.raw(), kind));
        }
        for &(cell, value) in &after.cells {
            set(&mut changes, Slots::cell(cell), (value.cast_unsigned(), 0));
        }
        if let Some(holder) = after.holder {
            set(&mut changes, Slots::holder(), (holder.raw(), 0));
        }
        Deed {
            growths: self.growths(after, n_queues),
            changes: self.intern(&changes),
            subjects: subjects(MachineId::new(machine), acts),
        }
    }

    /// The part of a queue, and what it is by now.
    fn content(&self, changes: &[(usize, Raw)], queue: QueueId) -> (usize, Raw) {
        let part = self.slots.queue(queue.index());
        let changed = changes.iter().find(|(changed, _)| *changed == part).map(|&(_, raw)| raw);
        (part, changed.unwrap_or_else(|| self.slots.raw(part, self.values[part + LOOKS])))
    }

    fn intern(&mut self, changes: &[(usize, Raw)]) -> Vec<Change> {
        let mut interned = Vec::with_capacity(changes.len());
        for &(part, raw) in changes {
            let value = self.slots.intern(self.system, part, raw);
            let same = self.known.contains(&(part + LOOKS)) && value == self.values[part + LOOKS];
            if !same {
                interned.push(Change { part: part as u32, value });
            }
        }
        interned
    }

    fn growths(&self, after: &After, n_queues: usize) -> Vec<(u32, u32)> {
        let mut growths = Vec::new();
        for &(queue, word) in &after.words {
            let part = self.slots.queue(queue.index());
            let before = if queue.index() < n_queues {
                self.slots.len(part, self.values[part + LOOKS])
            } else {
                0
            };
            let len = self.system.words().len(word) as u32;
            if len > before {
                growths.push((queue.raw(), len));
            }
        }
        growths
    }
}

fn set(changes: &mut Vec<(usize, Raw)>, part: usize, raw: Raw) {
    match changes.iter_mut().find(|(changed, _)| *changed == part) {
        Some((_, old)) => *old = raw,
        None => changes.push((part, raw)),
    }
}

/// Who does something in a turn, apart from the machine whose turn it is.
fn subjects(machine: MachineId, acts: &[Act]) -> Vec<Subject> {
    let mut subjects = Vec::new();
    for act in acts {
        subjects.push(Subject::Moves(act.machine));
        subjects.extend(Subject::of(act.event));
    }
    subjects.retain(|&subject| subject != Subject::Moves(machine));
    subjects
}
