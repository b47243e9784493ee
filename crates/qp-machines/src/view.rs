//! What a machine looks at when it is asked for its turns, for those who leave some orders of steps out.
//!
//! Two machines can be asked in either order if neither looks at what the other one changes. Queues are the
//! exception that makes it worth while: whoever puts at the back does not mind who takes from the front.

use crate::reads::{Plain, Reads};
use crate::{
    Capacity, CellId, Config, KindId, LocalId, MachineId, Property, QueueId, System, Turn, WordId,
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

/// What a machine can do in a configuration, and what that depends on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct View {
    /// Its turns.
    pub turns: Vec<Turn>,
    /// How it uses queues, if the program says so.
    pub uses: Option<Uses>,
    /// The queues whose front it uses, in order. Queues at which it looks, or that it changes, in a way that the
    /// program does not name are used at both ends.
    pub front: Vec<QueueId>,
    /// The queues whose back it uses.
    pub back: Vec<QueueId>,
    /// Whether it looks at anything but its own local state, contents and kinds of queues, and how many queues
    /// there are.
    pub is_wide: bool,
}

impl Property {
    /// Whether it is about failures and deadlocks alone. They are all found if steps of which the order does not
    /// matter are taken in one order only.
    pub fn survives_reduction(self) -> bool {
        matches!(self, Self::Assert | Self::Unhandled | Self::Divergence | Self::Deadlock)
    }
}

impl System {
    /// What a machine of a program whose steps are turns can do, and what that depends on.
    pub fn view(&mut self, config: &Config, machine: MachineId, timeout: bool) -> View {
        let cells = self.cells(config.store);
        let plain = Plain { config, cells: &cells };
        let mut world = Noting { plain, own: machine, queues: Vec::new(), is_wide: false };
        let uses = self.uses_in(machine, &mut world);
        let turns = self.turns_in(machine, timeout, &mut world);
        let Noting { mut queues, is_wide, .. } = world;
        let changed = turns.iter().filter_map(|turn| match turn {
            Turn::Does { after, .. } => Some(after.words.iter().map(|&(queue, _)| queue)),
            Turn::Fails { .. } | Turn::GivesUp { .. } => None,
        });
        queues.extend(changed.flatten().filter(|queue| queue.index() < config.words.len()));
        let Uses { mut front, mut back, .. } = uses.clone().unwrap_or_default();
        queues.retain(|queue| !front.contains(queue) && !back.contains(queue));
        for end in [&mut front, &mut back] {
            end.extend(&queues);
            end.sort_unstable();
            end.dedup();
        }
        View { turns, uses, front, back, is_wide }
    }

    /// Whether one more message fits into a queue that exists.
    pub fn has_room(&self, config: &Config, queue: QueueId) -> bool {
        match self.kind(config, queue).capacity {
            Capacity::Unbounded => true,
            Capacity::Messages(n) => self.words().len(config.word(queue)) < n as usize,
            Capacity::Rendezvous => false,
        }
    }
}

impl View {
    /// Whether the program names everything that is done with queues, and nothing else is looked at.
    pub fn is_named(&self) -> bool {
        let named = |uses: &Uses| {
            let is_in =
                |queues: &[QueueId], all: &[QueueId]| all.iter().all(|q| queues.contains(q));
            is_in(&uses.front, &self.front) && is_in(&uses.back, &self.back)
        };
        !self.is_wide && self.uses.as_ref().is_some_and(named)
    }
}

/// A configuration whose looks are noted.
struct Noting<'a> {
    plain: Plain<'a>,
    own: MachineId,
    queues: Vec<QueueId>,
    is_wide: bool,
}

impl Reads for Noting<'_> {
    fn n_machines(&mut self) -> usize {
        self.is_wide = true;
        self.plain.n_machines()
    }

    fn n_queues(&mut self) -> usize {
        self.plain.n_queues()
    }

    fn local(&mut self, machine: MachineId) -> LocalId {
        self.is_wide |= machine != self.own;
        self.plain.local(machine)
    }

    fn cell(&mut self, cell: CellId) -> i32 {
        self.is_wide = true;
        self.plain.cell(cell)
    }

    fn word(&mut self, queue: QueueId) -> WordId {
        self.queues.push(queue);
        self.plain.word(queue)
    }

    fn kind(&mut self, queue: QueueId) -> KindId {
        self.plain.kind(queue)
    }
}
