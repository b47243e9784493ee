//! Steps of machines that see more of the world than their own local state and the shared variables.
//!
//! [`crate::Program::moves`] is for machines that meet through queues. Some languages let a process look at all
//! others, do several things in one step, or go on alone for a while. For those a step is a *turn*: the
//! program is handed the [`World`] and says what comes of it. Who asks may remember which parts of the world
//! the program looked at: as long as these are the same, so is the answer.

use crate::{
    CellId, Config, Event, FailureId, KindId, LocalId, MachineId, Program, QueueId, WordId, Words,
};

/// A configuration, as a program sees it. Every look may be noted.
pub trait World {
    /// How many machines exist.
    fn n_machines(&mut self) -> usize;
    /// How many queues exist.
    fn n_queues(&mut self) -> usize;
    /// The local state of a machine that exists.
    fn local(&mut self, machine: MachineId) -> LocalId;
    /// The value of a shared variable.
    fn cell(&mut self, cell: CellId) -> i32;
    /// The content of a queue that exists.
    fn word(&mut self, queue: QueueId) -> WordId;
    /// The kind of a queue that exists.
    fn kind(&mut self, queue: QueueId) -> KindId;
    /// What `answer` makes of the local state of a machine that exists: a smaller look than at the whole of
    /// it. `question` names `answer`: the same number is always the same function, which depends on the local
    /// state alone.
    fn about(
        &mut self,
        machine: MachineId,
        question: u64,
        answer: &mut dyn FnMut(LocalId) -> u32,
    ) -> u32 {
        let _ = question;
        answer(self.local(machine))
    }
    /// All contents met so far, to read a content and to make new ones. No look at the configuration.
    fn words(&mut self) -> &mut Words;
}

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
    /// The configuration afterwards; `cells` are the shared variables before.
    pub fn apply(&self, program: &mut dyn Program, config: &Config, cells: &[i32]) -> Config {
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
        if !self.cells.is_empty() {
            let mut cells = cells.to_vec();
            for &(cell, value) in &self.cells {
                cells[cell.index()] = value;
            }
            after.store = program.store_of(&cells);
        }
        after.holder = self.holder;
        after
    }
}

/// A configuration as it is: nothing is noted.
pub(crate) struct Plain<'a> {
    pub(crate) config: &'a Config,
    pub(crate) cells: &'a [i32],
    pub(crate) words: &'a mut Words,
}

impl World for Plain<'_> {
    fn n_machines(&mut self) -> usize {
        self.config.locals.len()
    }

    fn n_queues(&mut self) -> usize {
        self.config.words.len()
    }

    fn local(&mut self, machine: MachineId) -> LocalId {
        self.config.local(machine)
    }

    fn cell(&mut self, cell: CellId) -> i32 {
        self.cells[cell.index()]
    }

    fn word(&mut self, queue: QueueId) -> WordId {
        self.config.word(queue)
    }

    fn kind(&mut self, queue: QueueId) -> KindId {
        self.config.kinds[queue.index()]
    }

    fn words(&mut self) -> &mut Words {
        self.words
    }
}
