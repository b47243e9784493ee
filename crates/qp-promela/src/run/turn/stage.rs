//! The configuration as it is in the middle of a turn.

use qp_base::Interner;
use qp_front_promela::spec::ShapeId;
use qp_machines::{
    CellId, Heed, KindId, LocalId, MachineId, MessageId, QueueId, Scan, WordId, World,
};

use super::changes::Changes;
use super::voice::Voice;
use crate::graph::Node;
use crate::run::eval::{Moment, Wanted};
use crate::run::value::number;
use crate::run::visited::Visited;
use crate::run::{Code, Frame, Part};

/// Sees everything, and changes it. Every part of the world is looked at once.
pub(super) struct Stage<'a> {
    pub(super) code: &'a Code,
    pub(super) frames: &'a Interner<LocalId, Frame>,
    pub(super) messages: &'a mut Interner<MessageId, Vec<Part>>,
    pub(super) visited: &'a mut Visited,
    pub(super) world: &'a mut dyn World,
    /// Whether nothing is possible without a timeout, if that is known.
    pub(super) timeout: Option<bool>,
    /// What was looked at.
    pub(super) seen: Changes,
    /// What is different by now.
    pub(super) now: Changes,
    /// Processes whose chances are being looked at, for `enabled` that asks about itself.
    pub(super) looking: Vec<MachineId>,
}

impl<'a> Stage<'a> {
    pub(super) fn n_machines(&mut self) -> usize {
        let world = &mut *self.world;
        let seen = &mut self.seen.n_machines;
        self.now.n_machines.unwrap_or_else(|| *seen.get_or_insert_with(|| world.n_machines()))
    }

    pub(super) fn n_queues(&mut self) -> usize {
        let world = &mut *self.world;
        let seen = &mut self.seen.n_queues;
        self.now.n_queues.unwrap_or_else(|| *seen.get_or_insert_with(|| world.n_queues()))
    }

    /// Where a process that exists is.
    pub(super) fn frame(&mut self, machine: MachineId) -> &Frame {
        if !self.now.frames.contains_key(&machine) {
            let (world, frames) = (&mut *self.world, self.frames);
            let look = || frames.value(world.local(machine)).clone();
            return self.seen.frames.entry(machine).or_insert_with(look);
        }
        &self.now.frames[&machine]
    }

    /// The same, to change it.
    pub(super) fn frame_mut(&mut self, machine: MachineId) -> &mut Frame {
        if !self.now.frames.contains_key(&machine) {
            let frame = self.frame(machine).clone();
            self.now.frames.insert(machine, frame);
        }
        self.now.frames.entry(machine).or_insert_with(|| {
            unreachable!("bug in Queueproof: a process that was put there is gone")
        })
    }

    pub(super) fn cell(&mut self, cell: CellId) -> i32 {
        if let Some(&value) = self.now.cells.get(&cell) {
            return value;
        }
        // What never changes is no look.
        if let Some(&Some(value)) = self.code.fixed.get(cell.index()) {
            return value;
        }
        let world = &mut *self.world;
        *self.seen.cells.entry(cell).or_insert_with(|| world.cell(cell))
    }

    pub(super) fn word(&mut self, queue: QueueId) -> WordId {
        if let Some(&word) = self.now.words.get(&queue) {
            return word;
        }
        let world = &mut *self.world;
        *self.seen.words.entry(queue).or_insert_with(|| world.word(queue))
    }

    pub(super) fn kind(&mut self, queue: QueueId) -> KindId {
        if let Some(&kind) = self.now.kinds.get(&queue) {
            return kind;
        }
        let world = &mut *self.world;
        *self.seen.kinds.entry(queue).or_insert_with(|| world.kind(queue))
    }

    /// Whether a channel has fewer messages than this.
    pub(super) fn is_shorter(&mut self, queue: QueueId, limit: u32) -> bool {
        let word = self.word(queue);
        self.world.shorter(queue, word, limit)
    }

    /// How many messages a channel has.
    pub(super) fn len(&mut self, queue: QueueId) -> u32 {
        let mut len = 0;
        while !self.is_shorter(queue, len + 1) {
            len += 1;
        }
        len
    }

    /// What the parts of a message are.
    pub(super) fn parts(&self, message: MessageId) -> Vec<i32> {
        parts(self.messages, message)
    }

    /// The first message that matches where it may be taken, with its position.
    pub(super) fn find(&mut self, queue: QueueId, wanted: &Wanted) -> Option<(u32, MessageId)> {
        let (word, messages) = (self.word(queue), &*self.messages);
        let scan = self.world.scan(queue, word, &mut |message| {
            let parts: Vec<i32> = parts(messages, message);
            match (wanted.matches(&parts), wanted.random) {
                (true, _) => Heed::Take,
                (false, true) => Heed::Skip,
                (false, false) => Heed::Stop,
            }
        });
        match scan {
            Scan::Takes { position, message } => Some((position, message)),
            Scan::Stops(_) | Scan::Exhausted => None,
        }
    }

    /// Whether so much fits into a channel that no more does. What it carries says how much that is.
    pub(super) fn is_full(&mut self, queue: QueueId, shape: ShapeId) -> bool {
        let room = self.code.room(shape);
        room.is_some_and(|room| !self.is_shorter(queue, room))
    }

    /// One moment of a process that exists.
    pub(super) fn moment(&mut self, machine: MachineId) -> Moment<'a, Voice<'_, 'a>> {
        let proc = self.frame(machine).proc;
        let code = self.code;
        let scene = Voice { stage: self, me: machine };
        Moment { code, proc, pid: number(machine.index()), scene }
    }

    /// Where a process is in its control flow.
    pub(super) fn node(&mut self, machine: MachineId) -> &'a Node {
        let code = self.code;
        let frame = self.frame(machine);
        &code.graphs[frame.proc].nodes[frame.node]
    }
}

fn parts(messages: &Interner<MessageId, Vec<Part>>, message: MessageId) -> Vec<i32> {
    messages.value(message).iter().map(|part| part.value()).collect()
}
