//! Configurations.

use crate::{KindId, LocalId, MachineId, QueueId, StoreId, WordId};

/// A moment of a run: where every machine is and what every queue holds.
///
/// Equal moments are equal values: contents are interned, and nothing else is recorded.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Config {
    /// One local state per machine.
    pub locals: Vec<LocalId>,
    /// One content per queue.
    pub words: Vec<WordId>,
    /// One kind per queue. Only changes where machines are created with queues of their own.
    pub kinds: Vec<KindId>,
    /// The shared variables.
    pub store: StoreId,
    /// The machine that is inside an atomic sequence, if any.
    pub holder: Option<MachineId>,
}

impl Config {
    /// A moment in which nothing exists.
    pub fn nothing() -> Self {
        let (locals, words, kinds) = (Vec::new(), Vec::new(), Vec::new());
        Self { locals, words, kinds, store: StoreId::NONE, holder: None }
    }

    /// The local state of a machine.
    pub fn local(&self, machine: MachineId) -> LocalId {
        self.locals[machine.index()]
    }

    /// The content of a queue. One that does not exist is closed: only a local state that somebody made
    /// up, in a file, can know it.
    pub fn word(&self, queue: QueueId) -> WordId {
        self.words.get(queue.index()).copied().unwrap_or(WordId::CLOSED)
    }

    /// All machines that exist now.
    pub fn machines(&self) -> impl Iterator<Item = MachineId> + use<> {
        (0..self.locals.len()).map(MachineId::new)
    }

    /// All queues that exist now.
    pub fn queues(&self) -> impl Iterator<Item = QueueId> + use<> {
        (0..self.words.len()).map(QueueId::new)
    }
}
