//! What a machine looks at when it is asked for its turns, for those who leave some orders of steps out.
//!
//! Two machines can be asked in either order if neither looks at what the other one changes. Queues are the
//! exception that makes it worth while: whoever puts at the back does not mind who takes from the front.

use crate::reads::{Plain, Reads, Within, World};
use crate::touches::has_room;
use crate::{
    CellId, Config, KindId, LocalId, MachineId, Property, QueueId, System, Touch, Turn, WordId,
    turns_of_commands,
};

/// How a machine uses queues where it is now: everything that its turns make of contents. The queues exist
/// as long as the machine does.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Uses {
    /// Queues whose first message it looks at, and may take. While there is none, it does nothing with them.
    pub front: Vec<QueueId>,
    /// Queues at the back of which it puts a message if one fits. While none does, it does nothing with them.
    pub back: Vec<QueueId>,
    /// Whether it is alone until it has moved: nobody looks at where it is now, hands it a message, or can do
    /// less when it is where it goes next. Handing it a message may become possible there.
    pub alone: bool,
    /// Whether each of its turns depends on one of these ends at most: on the first message of one queue, or on whether
    /// one message fits into another one.
    pub single: bool,
}

/// What a machine can do in a configuration, and what others must leave alone for it to stay so.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct View {
    /// Its turns.
    pub turns: Vec<Turn>,
    /// As long as nobody else touches any of these, it has the same turns, and they commute with what others do.
    /// `None` where that cannot be said.
    pub needs: Option<Vec<Touch>>,
    /// What its steps touch, as far as others may need it.
    pub touches: Vec<Touch>,
    /// Whether it can only receive: unless it has a turn, nothing but a message lets it move.
    pub waits: bool,
}

impl Property {
    /// Whether it is about failures and deadlocks alone. They are all found if steps of which the order does not
    /// matter are taken in one order only.
    pub fn survives_reduction(self) -> bool {
        matches!(self, Self::Assert | Self::Unhandled | Self::Divergence | Self::Deadlock)
    }
}

impl System {
    /// What a machine can do, and what others must leave alone for it to stay so.
    pub fn view(&mut self, config: &Config, machine: MachineId, timeout: bool) -> View {
        let cells = self.cells(config.store);
        self.view_in(machine, timeout, &mut Plain { config, cells: &cells })
    }

    /// How a machine uses queues where it is now, if the program says so.
    pub fn uses(&mut self, config: &Config, machine: MachineId) -> Option<Uses> {
        let cells = self.cells(config.store);
        self.uses_in(machine, &mut Plain { config, cells: &cells })
    }

    /// [`System::view`] of a configuration that is read part by part.
    pub fn view_in<R: Reads>(&mut self, machine: MachineId, timeout: bool, reads: &mut R) -> View {
        let world = &mut Within::new(reads, &mut self.words, &mut *self.domain);
        if let Some(commands) = self.program.as_moves() {
            let turns = turns_of_commands(commands, machine, timeout, world);
            return commands.touched(machine, turns, world);
        }
        let mut noting = Noting { reads, own: machine, queues: Vec::new(), is_wide: false };
        let uses = self.uses_in(machine, &mut noting);
        let turns = self.turns_in(machine, timeout, &mut noting);
        let Noting { mut queues, is_wide, .. } = noting;
        let n_queues = reads.n_queues();
        let changed = turns.iter().filter_map(|turn| match turn {
            Turn::Does { after, .. } => Some(after.words.iter().map(|&(queue, _)| queue)),
            Turn::Fails { .. } | Turn::GivesUp { .. } => None,
        });
        queues.extend(changed.flatten().filter(|queue| queue.index() < n_queues));
        let Uses { front, back, alone, .. } = uses.unwrap_or_default();
        queues.retain(|queue| !front.contains(queue) && !back.contains(queue));
        let plain = !turns.is_empty() && turns.iter().all(|turn| turn.is_plain(machine));
        let world = &mut Within::new(reads, &mut self.words, &mut *self.domain);
        let stays = front.iter().all(|&queue| {
            let word = world.word(queue);
            !world.shorter(queue, word, 1)
        }) && back.iter().all(|&queue| has_room(self.program.outline(), queue, world));
        let is_named = !is_wide && queues.is_empty();
        let ends = |front: &[QueueId], back: &[QueueId]| {
            let front = front.iter().map(|&queue| Touch::Front(queue));
            front.chain(back.iter().map(|&queue| Touch::Back(queue))).collect::<Vec<_>>()
        };
        let mut touches = ends(&front, &back);
        let first = is_named && alone && plain && stays && !timeout;
        let needs = first.then(|| tidy(touches.clone()));
        touches.extend(ends(&queues, &queues));
        View { turns, needs, touches: tidy(touches), waits: false }
    }
}

/// In order, and each once.
pub(crate) fn tidy(mut touches: Vec<Touch>) -> Vec<Touch> {
    touches.sort_unstable();
    touches.dedup();
    touches
}

/// A configuration whose looks are noted.
struct Noting<'a, R> {
    reads: &'a mut R,
    own: MachineId,
    queues: Vec<QueueId>,
    /// Whether anything was looked at but the machine's own local state, contents and kinds of queues, and how many
    /// queues there are.
    is_wide: bool,
}

impl<R: Reads> Reads for Noting<'_, R> {
    fn n_machines(&mut self) -> usize {
        self.is_wide = true;
        self.reads.n_machines()
    }

    fn n_queues(&mut self) -> usize {
        self.reads.n_queues()
    }

    fn local(&mut self, machine: MachineId) -> LocalId {
        self.is_wide |= machine != self.own;
        self.reads.local(machine)
    }

    fn cell(&mut self, cell: CellId) -> i32 {
        self.is_wide = true;
        self.reads.cell(cell)
    }

    fn word(&mut self, queue: QueueId) -> WordId {
        self.queues.push(queue);
        self.reads.word(queue)
    }

    fn kind(&mut self, queue: QueueId) -> KindId {
        self.reads.kind(queue)
    }

    fn about(
        &mut self,
        machine: MachineId,
        question: u64,
        answer: &mut dyn FnMut(LocalId) -> u32,
    ) -> u32 {
        self.is_wide |= machine != self.own;
        self.reads.about(machine, question, answer)
    }
}
