//! What machines may still do, whatever their data: for those who ask what the others can do meanwhile.
//!
//! A *stage* is a place in the control flow of a machine. The table is an over-approximation: every step of a
//! machine is one of the ways of a stage at which it is, and touches no more than the stage says.

use qp_base::{IndexVec, define_index};

use crate::QueueId;

define_index!(StageId, "stage", "A place in the control flow of a machine, whatever its data.");

/// Something that two steps cannot both touch if their order is not to matter. Whoever puts a message at the back of
/// a queue does not mind who takes one from the front.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Touch {
    /// The front of a queue: what is taken.
    Front(QueueId),
    /// The back of a queue: what is put.
    Back(QueueId),
    /// How many machines and queues there are.
    Numbers,
    /// One of those who watch, by the number that the program gives to it.
    Watcher(u32),
}

/// Queues, as far as the control flow tells them apart.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Mailbox {
    /// This one.
    Queue(QueueId),
    /// The one with the number of the machine itself.
    Own,
    /// One with the number of a machine of this class.
    Of(u32),
}

/// What a step may touch.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Reach {
    /// The front of a queue.
    Front(Mailbox),
    /// The back of a queue.
    Back(Mailbox),
    /// How many machines and queues there are.
    Numbers,
    /// One of those who watch.
    Watcher(u32),
    /// Anything.
    Everything,
}

/// What a step does that matters for what comes next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Doing {
    /// Nothing that others could react to.
    Nothing,
    /// Puts a message of this kind ([`crate::Moves::message_kind`]) somewhere.
    Puts(Mailbox, u32),
    /// Takes a message of this kind.
    Takes(Mailbox, u32),
    /// Creates a machine that begins at this stage.
    Starts(StageId),
}

/// A place in the control flow.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Stage {
    /// What kind of machine is here.
    pub class: u32,
    /// What its next steps may touch.
    pub reaches: Vec<Reach>,
    /// What they do, and where they lead; nowhere if the machine ends.
    pub ways: Vec<(Doing, Option<StageId>)>,
}

/// The control flow of all machines.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Prospects {
    /// All stages.
    pub stages: IndexVec<StageId, Stage>,
}

/// Where a machine may be in the control flow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Whereabouts {
    /// What kind of machine it is.
    pub class: u32,
    /// It is at one of these stages; without any, it does nothing more.
    pub stages: Vec<StageId>,
}

impl Mailbox {
    /// Whether this may be the queue, for whoever has this number, or none because it does not exist yet; `class` is
    /// that of the machine with the number of the queue, if it is known.
    pub fn may_be(self, own: Option<usize>, queue: QueueId, class: Option<u32>) -> bool {
        match self {
            Self::Queue(it) => it == queue,
            Self::Own => own == Some(queue.index()),
            Self::Of(it) => class.is_none_or(|class| class == it),
        }
    }
}

impl Reach {
    /// Whether this may be to touch the same thing; see [`Mailbox::may_be`].
    pub fn meets(
        self,
        own: Option<usize>,
        touch: Touch,
        class_of: impl Fn(QueueId) -> Option<u32>,
    ) -> bool {
        match (self, touch) {
            (Self::Everything, _) | (Self::Numbers, Touch::Numbers) => true,
            (Self::Front(mailbox), Touch::Front(queue))
            | (Self::Back(mailbox), Touch::Back(queue)) => {
                mailbox.may_be(own, queue, class_of(queue))
            }
            (Self::Watcher(a), Touch::Watcher(b)) => a == b,
            _ => false,
        }
    }
}
