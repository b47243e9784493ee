//! Steps: what happens, and what is different afterwards.
//!
//! A step is a *turn* of a machine. It may do several things, look at other machines, or end with the machine going on
//! alone. A program is handed the [`World`](crate::World) and says what comes of it, or says guarded commands
//! ([`crate::Moves`]), of which `step.rs` makes turns. Who asks may remember which parts of the world were looked at: as
//! long as these are the same, so is the answer.

use crate::{CellId, Config, Event, FailureId, KindId, LocalId, MachineId, QueueId, WordId};

/// One thing that a machine can do when it has its turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Turn {
    /// The world changes.
    Does {
        /// What happens in it, in order; never empty. The first is what the turn is called after.
        acts: Vec<Act>,
        /// What is different afterwards.
        after: After,
    },
    /// A failure: the run ends here.
    Fails {
        /// What happens before it, in order, and the failing statement last.
        acts: Vec<Act>,
        /// Which.
        failure: FailureId,
    },
    /// The interpreter cannot say what comes next.
    GivesUp {
        /// Why.
        why: FailureId,
    },
}

impl Turn {
    /// What happens in it, in order.
    pub fn acts(&self) -> &[Act] {
        match self {
            Self::Does { acts, .. } | Self::Fails { acts, .. } => acts,
            Self::GivesUp { .. } => &[],
        }
    }

    /// What it is called after: the first thing that happens, or how it ends.
    pub fn event(&self) -> Event {
        match *self {
            Self::Does { ref acts, .. } => acts.first().map_or(Event::Internal, |act| act.event),
            Self::Fails { failure, .. } => Event::Failed { failure },
            Self::GivesUp { why } => Event::GaveUp { why },
        }
    }

    /// Whether it changes nothing but the machine's own local state and contents of queues, and the machine does
    /// not go on alone.
    pub fn is_plain(&self, machine: MachineId) -> bool {
        match self {
            Self::Does { after, .. } => {
                let counts = after.n_machines.is_none() && after.n_queues.is_none();
                let cells = after.cells.is_empty() && after.kinds.is_empty();
                let locals = after.locals.iter().all(|&(changed, _)| changed == machine);
                counts && cells && locals && after.holder.is_none()
            }
            Self::Fails { .. } | Self::GivesUp { .. } => false,
        }
    }
}

/// One thing that happens in a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Act {
    /// The machine that does it.
    pub machine: MachineId,
    /// What it is.
    pub event: Event,
    /// The number that the language's own tools give to the statement, for those who write files for them.
    pub statement: Option<u32>,
}

/// What is different after a turn. What is not mentioned stays as it is.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct After {
    /// How many machines there are, if that changes. The last ones are gone, or new.
    pub n_machines: Option<usize>,
    /// How many queues there are, if that changes. The last ones are gone, or new.
    pub n_queues: Option<usize>,
    /// Local states, with those of all new machines.
    pub locals: Vec<(MachineId, LocalId)>,
    /// The kinds of all new queues.
    pub kinds: Vec<(QueueId, KindId)>,
    /// Contents of queues. New ones are empty unless they are mentioned.
    pub words: Vec<(QueueId, WordId)>,
    /// Shared variables.
    pub cells: Vec<(CellId, i32)>,
    /// The machine that goes on alone, if the turn was interrupted.
    pub holder: Option<MachineId>,
}

impl After {
    /// The configuration afterwards, but for the shared variables.
    pub(crate) fn apply(&self, config: &Config) -> Config {
        let mut after = config.clone();
        if let Some(n) = self.n_machines {
            after.locals.resize(n, LocalId::from_raw(0));
        }
        if let Some(n) = self.n_queues {
            after.words.resize(n, WordId::EMPTY);
            after.kinds.resize(n, KindId::from_raw(0));
        }
        for &(machine, local) in &self.locals {
            after.locals[machine.index()] = local;
        }
        for &(queue, kind) in &self.kinds {
            after.kinds[queue.index()] = kind;
        }
        for &(queue, word) in &self.words {
            after.words[queue.index()] = word;
        }
        after.holder = self.holder;
        after
    }
}
